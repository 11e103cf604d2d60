using SiloHosting.Settings;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;

namespace SiloHosting.Training;

/// <summary>Has the silos train tables themselves.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Adds the cluster's trainer, if settings ask for it; on each silo, because it may be on any.</summary>
    public static ISiloBuilder TrainTables(this ISiloBuilder silo, TrainerSettings trainer) =>
        trainer.Enabled
            ? silo.AddTrainer(
                (OptionsBuilder<SiloTrainerOptions> options) => options.BindConfiguration(TrainerSettings.Section))
            : silo;
}
