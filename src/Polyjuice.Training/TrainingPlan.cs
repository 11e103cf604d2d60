using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Training;

/// <summary>What a training is to do.</summary>
internal sealed record TrainingPlan
{
    /// <summary>What is replayed.</summary>
    public required ReplayWorkload Workload { get; init; }

    /// <summary>On what.</summary>
    public required ReplaySettings Settings { get; init; }

    /// <summary>The found table's name.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// What found tables take from where the search says nothing, and one of those that must be beaten. Default: ic3.
    /// </summary>
    public PolicyDocument Parent { get; init; } = BuiltinPolicies.Get("ic3").Document;

    /// <summary>The tables that it begins with, and that must be beaten. Default: all built-in ones.</summary>
    public IReadOnlyList<PolicyDocument> Starts { get; init; } =
    [
        .. BuiltinPolicies.Fixed.Select(policy => policy.Document)
    ];

    /// <summary>
    /// Whether the search begins with tables derived from the workload's conflicts as well
    /// (<see cref="Conflicts.DerivedTables"/>). They need not be beaten. Default: it does.
    /// </summary>
    public bool DerivesStarts { get; init; } = true;

    /// <summary>What tables are searched for.</summary>
    public ScoreObjective Objective { get; init; } = ScoreObjective.Throughput;

    /// <summary>How.</summary>
    public ITableSearch Search { get; init; } = new SurrogateSearch();

    /// <summary>How long.</summary>
    public SearchBudget Budget { get; init; } = new(TimeSpan.FromMinutes(10));

    /// <summary>Of everything that is drawn.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// Replays at a time. Default 2. The result does not depend on it, but for how far a budget of time goes.
    /// </summary>
    public int Threads { get; init; } = 2;

    /// <summary>Replays of each table in a trial on held-out data. Default 10.</summary>
    public int TrialReplays { get; init; } = 10;

    /// <summary>The search's checkpoint, if there is to be one; whoever opens it closes it.</summary>
    public SearchJournal? Journal { get; init; }
}
