using Orleans;

namespace Polyjuice.Training.Orleans;

/// <summary>Finds the cluster's trainer.</summary>
public static class TrainerGrainFactoryExtensions
{
    /// <summary>The cluster's trainer, from a silo or a client. Nothing is called yet.</summary>
    /// <param name="grains">Makes the reference.</param>
    public static ITrainerGrain GetTrainer(this IGrainFactory grains)
    {
        ArgumentNullException.ThrowIfNull(grains);
        return grains.GetGrain<ITrainerGrain>(ITrainerGrain.Key);
    }
}
