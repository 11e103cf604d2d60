using Azure.Storage.Blobs;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Policies.Following;
using Polyjuice.Storage.AzureBlobs.Hosting;

[assembly: RegisterProvider("AzureBlobs", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(AzureBlobLogProviderBuilder))]
[assembly: RegisterProvider(
    "AzureBlobs", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target, typeof(AzureBlobPolicyStoreProviderBuilder))]
[assembly: RegisterProvider("AzureBlobs", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(AzureBlobTraceProviderBuilder))]

namespace Polyjuice.Storage.AzureBlobs.Hosting;

/// <summary>
/// Logs in Azure Storage: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>AzureBlobs</c>. <c>ConnectionName</c> takes a
/// connection string of the configuration's, which may be the account's address alone.
/// </summary>
internal sealed class AzureBlobLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        builder.AddAzureBlobLog(name!, options => section.Bind(options, builder.Configuration, (azure, connection) =>
        {
            if (AddressOf(connection) is { } address) azure.ServiceUri = address;
            else azure.ConnectionString = connection;
        }));
    }

    /// <summary>A connection string that is an account's address.</summary>
    public static Uri? AddressOf(string connection) =>
        Uri.TryCreate(connection, UriKind.Absolute, out var address) && address.Scheme is "https" or "http" ? address : null;
}

/// <summary>The container that a section names, by <c>ConnectionString</c> or <c>ConnectionName</c>, and <c>Container</c>.</summary>
internal static class ContainerSection
{
    /// <summary>The keys.</summary>
    public const string Container = nameof(Container);

    /// <inheritdoc cref="Container"/>
    public const string Prefix = nameof(Prefix);

    /// <summary>Makes the container's client.</summary>
    /// <param name="section">The section.</param>
    /// <param name="configuration">The silo's configuration.</param>
    public static BlobContainerClient ContainerOf(ProviderSection section, IConfiguration configuration)
    {
        var connection = section.RequiredConnection(configuration);
        var container = section.Required(Container);
        return AzureBlobLogProviderBuilder.AddressOf(connection) is { } address
            ? new BlobServiceClient(address).GetBlobContainerClient(container)
            : new BlobContainerClient(connection, container);
    }
}

/// <summary>
/// Traces in a container: <c>Polyjuice:Traces:ProviderType</c> is <c>AzureBlobs</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c>, <c>Container</c> and, if it is not <c>traces/</c>, <c>Prefix</c>.
/// </summary>
internal sealed class AzureBlobTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection)
            .Only(ProviderSection.ConnectionKey, ContainerSection.Container, ContainerSection.Prefix);
        var container = ContainerSection.ContainerOf(section, builder.Configuration);
        var prefix = configurationSection[ContainerSection.Prefix] ?? "traces/";
        builder.Services.Configure<PolyjuiceOptions>(
            options => options.TraceSink = new AzureBlobTraceSink(container, prefix));
    }
}

/// <summary>
/// Policies in a container: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>AzureBlobs</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c>, <c>Container</c> and, if it is not <c>policies/</c>, <c>Prefix</c>.
/// </summary>
internal sealed class AzureBlobPolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(
            builder.Services.AddOptions<PublishedPoliciesOptions>(), ProviderSection.ConnectionKey, ContainerSection.Container,
            ContainerSection.Prefix);
        var container = ContainerSection.ContainerOf(section, builder.Configuration);
        builder.AddAzureBlobPolicyStore(_ => container, configurationSection[ContainerSection.Prefix] ?? "policies/");
    }
}
