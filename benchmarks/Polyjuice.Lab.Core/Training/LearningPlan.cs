using Polyjuice.Lab.Running;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Races;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Training;

/// <summary>What a <see cref="LearningRun"/> is to do.</summary>
internal sealed record LearningPlan
{
    /// <summary>
    /// The workload, its cluster and its clients. Of its policies, the first is in force at the beginning, and the
    /// others are compared with the learned table; if there are no others, the best of those that raced is. Its
    /// <see cref="BenchmarkPlan.Measured"/> and <see cref="BenchmarkPlan.Repeat"/> are those of the comparison.
    /// </summary>
    public required BenchmarkPlan Run { get; init; }

    /// <summary>How long to search.</summary>
    public required SearchBudget Budget { get; init; }

    /// <summary>Where the table goes, whose name is the file's; its provenance goes beside it.</summary>
    public required string File { get; init; }

    /// <summary>How long is recorded. Default 6 s.</summary>
    public TimeSpan Recorded { get; init; } = TimeSpan.FromSeconds(6);

    /// <summary>
    /// Ends the recording after so many transactions instead of by time: what a busy machine does in a second may be
    /// too little to train on.
    /// </summary>
    public long? RecordedTransactions { get; init; }

    /// <summary>How many seconds are shown before the swap, and after it. Default 4.</summary>
    public int SecondsAround { get; init; } = 4;

    /// <summary>What a second is. Shorter in tests.</summary>
    internal TimeSpan Second { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// What is made of the race's verdict. In tests, what comes after a table was found is not to depend on whether a
    /// busy machine finds one.
    /// </summary>
    internal Func<RaceVerdict, RaceVerdict> Judge { get; init; } = static verdict => verdict;

    /// <summary>
    /// How tables race on the cluster. Default: 6 rounds; which of several close ones wins matters little.
    /// </summary>
    public RaceOptions Race { get; init; } = new() { RoundsMax = 6 };

    /// <summary>Rounds of the verdict, of the best tables that are left of the race. Default 12; at least 3.</summary>
    public int VerdictRounds { get; init; } = 12;

    /// <summary>The default of <see cref="RaceInterval"/>.</summary>
    public static readonly TimeSpan DefaultRaceInterval = TimeSpan.FromSeconds(0.7);

    /// <summary>How long each table is measured in each round of the race. Default 0.7 s.</summary>
    public TimeSpan RaceInterval { get; init; } = DefaultRaceInterval;

    /// <summary>
    /// How long it is in force before that, two fifths of it: the limits that a silo finds out have to find theirs.
    /// </summary>
    public TimeSpan RaceWarmup => RaceInterval * 0.4;

    /// <summary>
    /// Whether the learned table is compared with others on clusters of their own at the end. Default
    /// <see langword="true"/>; the race's verdict stands without it.
    /// </summary>
    public bool Compares { get; init; } = true;

    /// <summary>Whether Orleans' own transactions are compared, too. Default <see langword="true"/>.</summary>
    public bool ComparesOrleans { get; init; } = true;

    /// <summary>
    /// How long clients of the comparison wait for an answer: where transactions stand behind locks, each interval ends
    /// that much later. Default 3 s.
    /// </summary>
    public TimeSpan ComparedResponseTimeout { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>The tables that the search begins with and must beat. Default: all built-in ones.</summary>
    public IReadOnlyList<PolicyDocument> Starts { get; init; } =
    [
        .. BuiltinPolicies.Fixed.Select(policy => policy.Document)
    ];

    /// <summary>Measured transactions of a replay; <see langword="null"/>: long enough that queues fill.</summary>
    public int? ReplayTransactions { get; init; }
}
