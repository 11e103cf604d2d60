using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Service.State;

/// <summary>What a trainer must not forget. Immutable.</summary>
internal sealed record TrainerState
{
    public const int CurrentSchema = 1;

    public required int Schema { get; init; }

    /// <summary>The windows' length in seconds: rates of other windows are other rates.</summary>
    public required double WindowSeconds { get; init; }

    /// <summary>
    /// Those that the forecast goes by: one that sees them again is where
    /// it was, but for what older windows have taught it of its own errors.
    /// </summary>
    public required IReadOnlyList<ObservedRate> History { get; init; }

    /// <summary>Where the collector is.</summary>
    public required CollectorPosition Position { get; init; }

    public double? TrainedFor { get; init; }

    /// <summary>See <see cref="Retraining.RetrainingRule.Beyond"/>.</summary>
    public int Beyond { get; init; }

    /// <summary>See <see cref="Retraining.RetrainingRule.HasShifted"/>.</summary>
    public bool HasShifted { get; init; }

    /// <summary>Trainings that have ended.</summary>
    public int Trainings { get; init; }

    /// <summary>The training that is under way, or was when the process ended.</summary>
    public PendingTraining? Pending { get; init; }

    /// <summary>The last entry that was published.</summary>
    public int Published { get; init; }

    public string? LastTraining { get; init; }

    /// <summary>The last of those that were published and that silos have taken back; 0 for none.</summary>
    public int TakenBack { get; init; }
}

/// <summary>A training that has been decided upon, and has not ended. Its trace is kept beside the state.</summary>
/// <param name="Number">From 1.</param>
/// <param name="TargetRate">The peak that was expected.</param>
internal sealed record PendingTraining(int Number, double TargetRate);
