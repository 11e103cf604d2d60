using System.ComponentModel.DataAnnotations;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Embedded;

/// <summary>The world that a simulated cluster runs in. Virtual times in microseconds. Validated at start, with the option's name.</summary>
public sealed record SimulationOptions
{
    /// <summary>The same seed, options and code give the same run, event for event. Default 1.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>The network while nothing is wrong with it; what <see cref="SimulatedFaults"/> say comes on top.</summary>
    public NetworkProfile Network { get; init; } = new();

    /// <summary>The storage while nothing is wrong with it; what <see cref="SimulatedFaults"/> say comes on top.</summary>
    public StorageProfile Storage { get; init; } = new();

    /// <summary>How long a silo's or the client's turn takes. Default 1 µs; at most 1 s.</summary>
    [Range(0d, 1_000_000d)]
    public long TurnMicroseconds { get; init; } = 1;

    /// <summary>Each node's clock is off by up to this much, either way, from the start. Default 0; at most 60 s.</summary>
    [Range(0d, 60_000_000d)]
    public long ClockSkewMax { get; init; }

    /// <summary>From a silo's death until the others are told. Default 40 ms; at most 60 s.</summary>
    [Range(0d, 60_000_000d)]
    public long DetectionDelay { get; init; } = 40_000;

    /// <summary>How much later one node may learn of a death or of a partition's new owner than another. Default 5 ms; at most 60 s.</summary>
    [Range(0d, 60_000_000d)]
    public long DirectoryLag { get; init; } = 5_000;

    /// <summary>How much virtual time one <see cref="SimulatedEmbeddedCluster.Run(Func{Task})"/> may take. Default 10 min.</summary>
    [Range(1d, 1e18)]
    public long RunMax { get; init; } = 600_000_000;

    /// <summary>So many faults happen at the most. Default: as many as there are.</summary>
    [Range(0d, 1e19)]
    public long FaultsMax { get; init; } = long.MaxValue;

    /// <summary>Whether to keep a readable trace of what happens; slow. Default false.</summary>
    public bool Trace { get; init; }
}
