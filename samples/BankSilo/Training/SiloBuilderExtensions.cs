using BankSilo.Settings;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Tracing;

namespace BankSilo.Training;

/// <summary>Has the silos train tables themselves.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Adds the cluster's trainer, if settings ask for it; on each silo, because it may be on any.</summary>
    public static ISiloBuilder AddTrainer(this ISiloBuilder silo, SiloSettings settings, TrainerSettings trainer)
    {
        if (!trainer.Enabled) return silo;
        var services = silo.Services;
        ITraceSource traces = settings.TraceContainer is { Length: > 0 } container ? new AzureBlobTraceSource(LogAccount.Container(silo, container)) : new FileTraceSource(settings.TraceFolder!);
        services.AddSingleton(trainer).AddSingleton(traces);
        services.TryAddSingleton<TrainerFactory>();
        services.AddHostedService<TrainerKeeper>();

        // A window is done when each silo has begun a file behind it.
        services.AddOptions<PolyjuiceOptions>().PostConfigure(options =>
        {
            if (options.Trace.FilePeriodMicroseconds == 0) options.Trace.FilePeriodMicroseconds = (long)trainer.Window.TotalMicroseconds;
        });
        services.AddSingleton<IValidateOptions<PublishedPoliciesOptions>, TrainerKeyValidator>();
        return silo;
    }
}
