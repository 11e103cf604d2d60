using Polyjuice.Training.Search;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Service;

/// <summary>What a <see cref="TrainerService"/> is at. Immutable: each change makes another one.</summary>
internal sealed record TrainerStatus
{
    /// <summary>
    /// When it has last been heard of: at the latest when it last looked for traces, or a search's iteration ended.
    /// </summary>
    public DateTimeOffset AliveAt { get; init; }

    /// <summary>How many windows it has seen.</summary>
    public long WindowsSeen { get; init; }

    /// <summary>The last one; <see langword="null"/> for none.</summary>
    public ObservedRate? LastWindow { get; init; }

    /// <summary>The peak that is expected; <see langword="null"/> before the first window.</summary>
    public PeakForecast? Forecast { get; init; }

    /// <summary>The peak that the table in force was trained for; <see langword="null"/> for none.</summary>
    public double? TrainedFor { get; init; }

    /// <summary>What was decided last, and why; <see langword="null"/> since it was started.</summary>
    public RetrainingDecision? Decision { get; init; }

    /// <summary>Whether a search is under way.</summary>
    public bool IsTraining { get; init; }

    /// <summary>The curve of the search that is under way, or was last: at most the last thousand points.</summary>
    public IReadOnlyList<SearchPoint> Search { get; init; } = [];

    /// <summary>How many trainings have ended.</summary>
    public int Trainings { get; init; }

    /// <summary>What the last training came to, in a sentence; <see langword="null"/> for none.</summary>
    public string? LastTraining { get; init; }

    /// <summary>The last entry that it has published; 0 for none.</summary>
    public int Published { get; init; }

    /// <summary>
    /// The last of those entries that silos have taken back, because it was worse on the cluster; 0 for none.
    /// </summary>
    public int TakenBack { get; init; }

    /// <summary>Files of traces that were passed over, in whole or in part, since it was started.</summary>
    public long FilesPassedOver { get; init; }

    /// <summary>Why the last look failed; <see langword="null"/> if it did not. It is tried again.</summary>
    public string? Problem { get; init; }
}
