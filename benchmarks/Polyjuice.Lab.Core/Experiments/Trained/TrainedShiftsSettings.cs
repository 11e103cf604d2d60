using Polyjuice.Lab.Workloads.House;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>How long what takes in a <see cref="TrainedShiftsExperiment"/>, and what is done.</summary>
internal sealed record TrainedShiftsSettings
{
    /// <summary>
    /// What clients do, one after the other: at first, then with another mix, another skew, and other hot keys.
    /// </summary>
    public IReadOnlyList<HousePhase> Phases { get; init; } =
        [new(80, 1, 0), new(10, 1, 0), new(10, 1, 0.99), new(90, 4, 0)];

    /// <summary>How long a phase lasts for the trainer's cluster. Default 330 s: four of them are 22 min.</summary>
    public TimeSpan Phase { get; init; } = TimeSpan.FromSeconds(330);

    /// <summary>How long after a shift throughput counts. Default 2 min; shorter than <see cref="Phase"/>.</summary>
    public TimeSpan React { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>
    /// How long the silos that train, and each table that they are compared with, are measured before it is the next
    /// one's turn. Default 6 s, after a sixth of that which does not count.
    /// </summary>
    public TimeSpan Slice { get; init; } = TimeSpan.FromSeconds(6);

    /// <summary>How much of a phase the table for it is trained on. Default 15 s.</summary>
    public TimeSpan Recorded { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>How long that is searched for. Default 60 s.</summary>
    public TimeSpan OfflineBudget { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The windows of the trainer in the silos. Default 15 s.</summary>
    public TimeSpan Window { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>How long it searches. Default 20 s.</summary>
    public TimeSpan Budget { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>Transactions that a replay measures, of the trainer's. Default 400.</summary>
    public int ReplayTransactions { get; init; } = 400;

    /// <summary>Customers. Default 10,000.</summary>
    public int Customers { get; init; } = 10_000;

    /// <summary>The table that silos begin with. Default: occ, as theirs.</summary>
    public IPolicyCompiler Start { get; init; } = BuiltinPolicies.Get("occ");
}
