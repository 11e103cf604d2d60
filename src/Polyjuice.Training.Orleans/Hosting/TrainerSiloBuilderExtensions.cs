using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Diagnostics;
using Polyjuice.Training.Orleans;

namespace Orleans.Hosting;

/// <summary>Has the silos train tables themselves.</summary>
public static class TrainerSiloBuilderExtensions
{
    /// <summary>
    /// Adds the cluster's trainer (<c>docs/operate/training.md</c>), on each silo, because it may be on any: a grain of
    /// which there is one. It follows the traces that the silos record, trains a table when the forecast says that
    /// another one pays, and publishes it where the silos follow, who put it on trial and take it back if it is worse.
    /// Needs <c>UsePolyjuice</c>, <c>AddFileTraces</c> or another place for traces, and <c>AddFilePolicyStore</c> or
    /// another place, in any order; a silo without does not start. Options come from the section
    /// <c>Polyjuice:Trainer</c> of the silo's configuration, too; what the code says goes before it. Once for a silo:
    /// another call adds its options to those before.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddTrainer(this ISiloBuilder builder, Action<SiloTrainerOptions>? configure = null) =>
        builder.AddTrainer((OptionsBuilder<SiloTrainerOptions> options) =>
        {
            if (configure is not null) options.Configure(configure);
        });

    /// <inheritdoc cref="AddTrainer(ISiloBuilder, Action{SiloTrainerOptions})"/>
    public static ISiloBuilder AddTrainer(
        this ISiloBuilder builder, Action<OptionsBuilder<SiloTrainerOptions>> configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        var services = builder.Services;
        var isAgain = services.Any(static service => service.ServiceType == typeof(LocalTrainer));
        var options = services.AddOptions<SiloTrainerOptions>();
        if (!isAgain) options.Bind(builder.Configuration.GetSection("Polyjuice:Trainer"));
        configure(options);
        if (isAgain) return builder;
        services.AddSingleton<LocalTrainer>();
        services.TryAddSingleton<ITrainingStatus>(static provider => provider.GetRequiredService<LocalTrainer>());
        services.TryAddSingleton<TrainerFactory>();
        services.AddSingleton<IConfigurationValidator, TrainerConfigurationValidator>();
        services.AddHostedService<TrainerKeeper>();
        services.AddHostedService<TrainerMetrics>();
        services.AddOptions<PolyjuiceOptions>()
            .PostConfigure<IOptions<SiloTrainerOptions>>((silo, trainer) => RecordInWindows(silo, trainer.Value));
        return builder;
    }

    /// <summary>
    /// A window is done when each silo has begun a file behind it. One that is begun a little earlier counts, by a
    /// fiftieth of a window.
    /// </summary>
    private static void RecordInWindows(PolyjuiceOptions silo, SiloTrainerOptions trainer)
    {
        const int handOversInWindow = 100;
        var window = (long)trainer.Window.TotalMicroseconds;
        if (silo.Trace.FilePeriodMicroseconds == 0) silo.Trace.FilePeriodMicroseconds = window;
        var handOver = Math.Max(1_000, window / handOversInWindow);
        silo.Trace.HandOverMicroseconds = Math.Min(silo.Trace.HandOverMicroseconds, handOver);
    }
}
