using Polyjuice.Training.Races;
using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster;

/// <summary>What a <see cref="ClusterTraining"/> is to do.</summary>
internal sealed record ClusterTrainingPlan
{
    /// <summary>
    /// Replays of each table in the search's trial on held-out data: clusters decide, so it need not be sure.
    /// </summary>
    public const int UndecidingReplays = 3;

    /// <summary>
    /// The recording, with calls. If it has states, too, calls are made again from these; otherwise from what the
    /// application loads and the calls before have done.
    /// </summary>
    public required AccessTrace Trace { get; init; }

    /// <summary>Its digest; see <see cref="Provenance.TraceDigest"/>.</summary>
    public required string Digest { get; init; }

    /// <summary>The application whose calls they are.</summary>
    public required TrainedApplication Application { get; init; }

    /// <summary>
    /// The search: made of that trace, for as many silos as <see cref="Cluster"/> has. Its costs are those that the
    /// calibration begins with, its journal is not asked, and its parent is the table in force.
    /// </summary>
    public required TrainingPlan Training { get; init; }

    /// <summary>
    /// The searches that run, each with the whole budget; the best
    /// table of all counts. Default: that of <see cref="Training"/>.
    /// </summary>
    public IReadOnlyList<ITableSearch> Searches { get; init; } = [];

    /// <summary>The test clusters.</summary>
    public ClusterOptions Cluster { get; init; } = new();

    /// <summary>How tables race. Default: 6 rounds; which of several close ones wins matters little.</summary>
    public RaceOptions Race { get; init; } = new() { RoundsMax = 6 };

    /// <summary>Rounds of the verdict, of the best tables that are left of the race. Default 12; at least 3.</summary>
    public int VerdictRounds { get; init; } = 12;

    /// <summary>
    /// A file that keeps the search's replays; beside it, NAME.fit keeps the calibration and NAME.race what was
    /// measured. <see langword="null"/> keeps nothing.
    /// </summary>
    public string? Checkpoint { get; init; }

    /// <summary>
    /// Whether a <see cref="Checkpoint"/> of another training is begun anew. By default it is refused.
    /// </summary>
    public bool RenewsCheckpoint { get; init; }

    /// <summary>Hears of the search.</summary>
    public Action<SearchPoint> Searched { get; init; } = static _ => { };
}
