using Polyjuice.Diagnostics;
using Polyjuice.Training.Service;

namespace Polyjuice.Training.Orleans;

/// <summary>The trainer while it is on this silo, for the meter and the live view. Thread-safe.</summary>
internal sealed class LocalTrainer : ITrainingStatus
{
    private static readonly TrainingStatus _elsewhere = new("the cluster's trainer is not on this silo", "", null, []);

    private volatile TrainerTrainingStatus? _shown;
    private volatile TrainerService? _trainer;

    /// <summary>What it says of itself; <see langword="null"/> while it is not here.</summary>
    public TrainerStatus? Status => _trainer?.Status;

    /// <inheritdoc/>
    public TrainingStatus Current => _shown?.Current ?? _elsewhere;

    /// <summary>It is here.</summary>
    public void Here(TrainerService trainer) => (_trainer, _shown) = (trainer, new TrainerTrainingStatus(trainer));

    /// <summary>It is not here any more, unless another one is already.</summary>
    public void Gone(TrainerService trainer)
    {
        if (_trainer == trainer) (_trainer, _shown) = (null, null);
    }
}
