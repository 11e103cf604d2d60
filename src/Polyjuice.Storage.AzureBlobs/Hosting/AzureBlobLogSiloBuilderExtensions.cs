using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Storage;
using Polyjuice.Storage.AzureBlobs;

namespace Orleans.Hosting;

/// <summary>Adds transaction logs in Azure Storage.</summary>
public static class AzureBlobLogSiloBuilderExtensions
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
}
