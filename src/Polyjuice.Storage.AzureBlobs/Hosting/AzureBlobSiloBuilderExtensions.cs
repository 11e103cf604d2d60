using Azure.Storage.Blobs;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Storage;

namespace Orleans.Hosting;

/// <summary>Adds logs, published policies and traces in Azure Storage.</summary>
public static class AzureBlobSiloBuilderExtensions
{
    /// <summary>
    /// Adds logs in Azure Storage as those that transactions use,
    /// unless <see cref="PolyjuiceOptions.LogProvider"/> names others.
    /// </summary>
    /// <param name="builder">The silos.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddAzureBlobLogAsDefault(
        this ISiloBuilder builder, Action<AzureBlobLogOptions> configure) =>
        builder.AddAzureBlobLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <inheritdoc cref="AddAzureBlobLogAsDefault(ISiloBuilder, Action{AzureBlobLogOptions})"/>
    public static ISiloBuilder AddAzureBlobLogAsDefault(
        this ISiloBuilder builder, Action<OptionsBuilder<AzureBlobLogOptions>> configure) =>
        builder.AddAzureBlobLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <summary>
    /// Adds logs in Azure Storage under a name, which <see cref="PolyjuiceOptions.LogProvider"/> then chooses. Options
    /// are validated at start.
    /// </summary>
    /// <param name="builder">The silos.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddAzureBlobLog(
        this ISiloBuilder builder, string name, Action<AzureBlobLogOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddAzureBlobLog(
            name, (OptionsBuilder<AzureBlobLogOptions> options) => options.Configure(configure));
    }

    /// <inheritdoc cref="AddAzureBlobLog(ISiloBuilder, string, Action{AzureBlobLogOptions})"/>
    public static ISiloBuilder AddAzureBlobLog(
        this ISiloBuilder builder, string name, Action<OptionsBuilder<AzureBlobLogOptions>> configure) =>
        builder.AddLog<AzureBlobLogOptions, AzureBlobLogOptionsValidator>(
            name, configure, "Polyjuice.Storage.AzureBlobs", AzureBlobLogStore.OpenAsync);

    /// <summary>
    /// Follows the policies that are published in a container, as
    /// <see cref="PolyjuiceSiloBuilderExtensions.AddFilePolicyStore"/> does those in a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="container">
    /// Makes the client, with its bounds on requests and repetitions. The container must be there.
    /// </param>
    /// <param name="prefix">What all blob names begin with; a folder ends with a slash.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddAzureBlobPolicyStore(
        this ISiloBuilder builder, Func<IServiceProvider, BlobContainerClient> container, string prefix = "policies/",
        Action<PublishedPoliciesOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(container);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddPolicyStore(services => new AzureBlobPolicyEntries(container(services), prefix), configure);
    }

    /// <summary>
    /// Has the silo record traces from its start on, an append blob for each file, as
    /// <see cref="PolyjuiceSiloBuilderExtensions.AddFileTraces"/> does into a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="container">
    /// Makes the client, with its bounds on requests and repetitions. The container must be there; who asks needs the
    /// role <c>Storage Blob Data Contributor</c> on it.
    /// </param>
    /// <param name="prefix">What all blob names begin with; a folder ends with a slash.</param>
    public static ISiloBuilder AddAzureBlobTraces(
        this ISiloBuilder builder, Func<IServiceProvider, BlobContainerClient> container, string prefix = "traces/")
    {
        ArgumentNullException.ThrowIfNull(container);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddTraces(services => new AzureBlobTraceSink(container(services), prefix));
    }
}
