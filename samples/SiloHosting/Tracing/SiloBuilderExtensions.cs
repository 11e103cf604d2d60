using SiloHosting.Settings;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Tracing;

namespace SiloHosting.Tracing;

/// <summary>Has a silo write traces.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Writes them into the folder or the container that settings name, or nowhere.</summary>
    public static ISiloBuilder AddTraces(this ISiloBuilder silo, SiloSettings settings)
    {
        ITraceSink? sink = settings.TraceContainer is { Length: > 0 } container
            ? new AzureBlobTraceSink(LogAccount.Container(silo, container))
                : settings.TraceFolder is { Length: > 0 } folder ? new FileTraceSink(folder) : null;
        if (sink is not null)
            silo.Services.AddOptions<PolyjuiceOptions>().Configure(options => options.TraceSink = sink);
        return silo;
    }
}
