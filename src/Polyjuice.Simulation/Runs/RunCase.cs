using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Everything that decides a run: two runs of one case are the same,
/// event for event. What is not set, the shape draws from the seed.
/// </summary>
internal sealed record RunCase
{
    /// <summary>Of all random choices.</summary>
    public required ulong Seed { get; init; }

    /// <summary>One of <see cref="Shapes.Names"/>.</summary>
    public string Shape { get; init; } = Shapes.Standard;

    /// <summary>What clients do.</summary>
    public WorkloadKind? Workload { get; init; }

    /// <summary>The policy of all silos; <see langword="null"/> for random tables, drawn from the seed.</summary>
    public IPolicyCompiler? Policy { get; init; }

    /// <summary>What may go wrong.</summary>
    public FaultKinds Faults { get; init; } = FaultKinds.All;

    /// <summary>So many faults happen at the most.</summary>
    public long FaultBudget { get; init; } = long.MaxValue;

    /// <summary>Silos, or what the shape draws.</summary>
    public int? Silos { get; init; }

    /// <summary>Log partitions, or what the shape draws.</summary>
    public int? Partitions { get; init; }

    /// <summary>Grains, or what the shape draws.</summary>
    public int? Keys { get; init; }

    /// <summary>Clients of the closed loop, or what the shape draws.</summary>
    public int? Clients { get; init; }

    /// <summary>Transactions in all, or what the shape draws.</summary>
    public int? Transactions { get; init; }

    /// <summary>Streams of random numbers that have a seed of their own.</summary>
    public RunStreams Streams { get; init; }

    /// <summary>Faults at steps of the protocol, beside those that the shape draws.</summary>
    public IReadOnlyList<Aim> Aims { get; init; } = [];

    /// <summary>
    /// Whether the result says which states of the protocol were reached. The run is the same with and without it.
    /// </summary>
    public bool Probes { get; init; }

    /// <summary>What the logs are kept on.</summary>
    internal StorageKind Storage { get; init; }

    /// <summary>Gets the storage that a run makes, if it is a device.</summary>
    internal Action<DeviceStorage>? StorageMade { get; init; }

    /// <summary>
    /// Whether the protocol's steps are compared with the specification
    /// (docs/internals/simulation.md). Default true; it changes nothing of the run.
    /// </summary>
    public bool Specified { get; init; } = true;

    /// <summary>The rule that is removed from the engine; for tests of the simulation itself.</summary>
    internal ProtocolBreaks Breaks { get; init; }
}
