using Azure.Storage.Blobs;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.AzureBlobs.Hosting;

[assembly: RegisterProvider(
    "AzureBlobs", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(AzureBlobLogProviderBuilder))]
[assembly: RegisterProvider(
    "AzureBlobs", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target,
    typeof(AzureBlobPolicyStoreProviderBuilder))]
[assembly: RegisterProvider(
    "AzureBlobs", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(AzureBlobTraceProviderBuilder))]

namespace Polyjuice.Storage.AzureBlobs.Hosting;

/// <summary>
/// Logs in Azure Storage: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>AzureBlobs</c>. <c>ConnectionName</c> takes a
/// connection string of the configuration's, which may be the account's address alone; <c>ServiceKey</c> a
/// <see cref="BlobServiceClient"/> from the host's services.
/// </summary>
internal sealed class AzureBlobLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        builder.AddAzureBlobLog(name!, options => section.Bind<AzureBlobLogOptions, BlobServiceClient>(
            options, builder.Configuration,
            (azure, connection) =>
            {
                if (AddressOf(connection) is { } address) azure.ServiceUri = address;
                else azure.ConnectionString = connection;
            },
            (azure, client) => azure.ServiceClient = client));
    }

    /// <summary>A connection string that is an account's address.</summary>
    public static Uri? AddressOf(string connection) =>
        Uri.TryCreate(connection, UriKind.Absolute, out var address) && address.Scheme is "https" or "http"
            ? address
            : null;
}

/// <summary>
/// The container that a section names, by <c>ConnectionString</c>, <c>ConnectionName</c> or <c>ServiceKey</c>, and
/// <c>Container</c>, with a <c>Prefix</c> of all names there.
/// </summary>
internal static class ContainerSection
{
    private const string Container = nameof(Container);
    private const string Prefix = nameof(Prefix);

    /// <summary>The keys.</summary>
    public static string[] Keys { get; } = [.. ProviderSection.ConnectionKeys, Container, Prefix];

    /// <summary>Finds the container's client.</summary>
    /// <param name="section">The section.</param>
    /// <param name="configuration">The silo's configuration.</param>
    public static Func<IServiceProvider, BlobContainerClient> ContainerOf(
        ProviderSection section, IConfiguration configuration)
    {
        var client = section.ClientOf(
            configuration,
            connection => AzureBlobLogProviderBuilder.AddressOf(connection) is { } address
                ? new BlobServiceClient(address) : new BlobServiceClient(connection),
            out _);
        var container = section.Required(Container);
        return services => client(services).GetBlobContainerClient(container);
    }

    /// <summary>What all names begin with.</summary>
    public static string PrefixOf(IConfigurationSection section, string usual) => section[Prefix] ?? usual;
}

/// <summary>
/// Traces in a container: <c>Polyjuice:Traces:ProviderType</c> is <c>AzureBlobs</c>; the prefix is <c>traces/</c>, if
/// no other is there.
/// </summary>
internal sealed class AzureBlobTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(ContainerSection.Keys);
        var container = ContainerSection.ContainerOf(section, builder.Configuration);
        var prefix = ContainerSection.PrefixOf(configurationSection, "traces/");
        builder.AddConfiguredTraces(services => new AzureBlobTraceSink(container(services), prefix));
    }
}

/// <summary>
/// Policies in a container: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>AzureBlobs</c>; the prefix is
/// <c>policies/</c>, if no other is there.
/// </summary>
internal sealed class AzureBlobPolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(builder.Services.AddOptions<PublishedPoliciesOptions>(), ContainerSection.Keys);
        builder.AddAzureBlobPolicyStore(
            ContainerSection.ContainerOf(section, builder.Configuration),
            ContainerSection.PrefixOf(configurationSection, "policies/"));
    }
}
