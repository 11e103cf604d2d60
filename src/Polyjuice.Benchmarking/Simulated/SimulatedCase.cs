using System.ComponentModel.DataAnnotations;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Benchmarking.Simulated;

/// <summary>Everything that decides a simulated run of a workload's grains: two runs of one case are the same, event for event.</summary>
public sealed record SimulatedCase
{
    /// <summary>The grains and what clients do with them.</summary>
    public required WorkloadDefinition Workload { get; init; }

    /// <summary>The policy in force.</summary>
    public required IPolicyCompiler Policy { get; init; }

    /// <summary>Of all random choices.</summary>
    public required ulong Seed { get; init; }

    /// <summary>What goes wrong while clients run.</summary>
    public SimulatedFaults Faults { get; init; } = SimulatedFaults.None;

    /// <summary>Default 3; 1 to 64.</summary>
    [Range(1, 64)]
    public int Silos { get; init; } = 3;

    /// <summary>Log partitions; 0 for as many as silos. Default 0.</summary>
    [Range(0, 65_536)]
    public int Partitions { get; init; }

    /// <summary>Clients of the closed loop. Default 8.</summary>
    [Range(1, 100_000)]
    public int Clients { get; init; } = 8;

    /// <summary>Operations in all. Default 200.</summary>
    [Range(1, 100_000_000)]
    public int Operations { get; init; } = 200;

    /// <summary>Each client waits up to this between two operations, in microseconds. Default 0.</summary>
    [Range(0d, 60_000_000d)]
    public long ThinkMax { get; init; }

    /// <summary>Grains to choose from. Default 16; at least 8.</summary>
    [Range(8, 10_000_000)]
    public int Accounts { get; init; } = 16;

    /// <summary>Skew of the choice of grains. Default 0.8.</summary>
    [Range(0.0, 10.0)]
    public double Theta { get; init; } = 0.8;

    /// <summary>Each node's clock is off by up to this much, either way, in microseconds. Default 0.</summary>
    [Range(0d, 60_000_000d)]
    public long ClockSkewMax { get; init; }

    /// <summary>So many faults happen at the most. Default: as many as there are.</summary>
    [Range(0d, 1e19)]
    public long FaultsMax { get; init; } = long.MaxValue;

    /// <summary>The engines' bounds and intervals.</summary>
    public EngineOptions Engine { get; init; } = new();

    /// <summary>What the seed alone does not say of the network while nothing is wrong with it.</summary>
    public NetworkProfile Network { get; init; } = new();

    /// <summary>The same of the storage.</summary>
    public StorageProfile Storage { get; init; } = new();

    /// <summary>Whether a failure tells everything that happened; slow.</summary>
    public bool Trace { get; init; }
}
