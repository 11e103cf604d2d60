using SiloHosting.Settings;
using Orleans.Hosting;

namespace SiloHosting.Tracing;

/// <summary>Has a silo write traces.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Writes them into the folder or the container that settings name, or nowhere.</summary>
    public static ISiloBuilder AddTraces(this ISiloBuilder silo, SiloSettings settings)
    {
        if (settings.TraceContainer is { Length: > 0 } container)
            return silo.AddAzureBlobTraces(_ => LogAccount.Container(silo, container), prefix: "");
        return settings.TraceFolder is { Length: > 0 } folder ? silo.AddFileTraces(folder) : silo;
    }
}
