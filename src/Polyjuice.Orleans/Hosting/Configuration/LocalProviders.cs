using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage;
using Polyjuice.Tracing;

[assembly: RegisterProvider(
    "Memory", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(MemoryLogProviderBuilder))]
[assembly: RegisterProvider(
    "Files", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(FileLogProviderBuilder))]
[assembly: RegisterProvider(
    "Files", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target, typeof(FilePolicyStoreProviderBuilder))]
[assembly: RegisterProvider(
    "Files", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(FileTraceProviderBuilder))]

namespace Polyjuice.Orleans.Hosting.Configuration;

/// <summary>Logs in memory: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>Memory</c>.</summary>
internal sealed class MemoryLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        new ProviderSection(configurationSection).Bind(builder.Services.AddOptions<MemoryLogOptions>(name!));
        builder.AddMemoryLog(name!);
    }
}

/// <summary>Logs in files: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>Files</c>.</summary>
internal sealed class FileLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        new ProviderSection(configurationSection).Bind(builder.Services.AddOptions<FileLogOptions>(name!));
        builder.AddFileLog(name!);
    }
}

/// <summary>
/// Policies in a folder: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>Files</c>, and <c>Folder</c> says where.
/// </summary>
internal sealed class FilePolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string Folder = nameof(Folder);

    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(builder.Services.AddOptions<PublishedPoliciesOptions>(), Folder);
        builder.AddFilePolicyStore(section.Required(Folder));
    }
}

/// <summary>
/// Traces in a folder: <c>Polyjuice:Traces:ProviderType</c> is <c>Files</c>, and <c>Folder</c> says where.
/// </summary>
internal sealed class FileTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string Folder = nameof(Folder);

    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var folder = new ProviderSection(configurationSection).Only(Folder).Required(Folder);
        builder.AddConfiguredTraces(_ => new FileTraceSink(folder));
    }
}
