using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// A run of a workload's grains on real silos under faults. The seed decides the clients' choices, the tables and the
/// plan of faults; which of them meet, real time decides.
/// </summary>
internal sealed record ChaosCase
{
    /// <summary>The grains and what clients do with them.</summary>
    public required WorkloadDefinition Workload { get; init; }

    /// <summary>The workload's sizes.</summary>
    public required WorkloadParameters Parameters { get; init; }

    /// <summary>
    /// The policy in force; <see langword="null"/> for others every
    /// now and then: built-in ones and tables with random cells.
    /// </summary>
    public IPolicyCompiler? Policy { get; init; }

    /// <summary>How long each of those is in force. Default 300 ms.</summary>
    public TimeSpan SwapInterval { get; init; } = TimeSpan.FromMilliseconds(300);

    /// <summary>
    /// How long a table is in force that runs transactions dry, or reserves: what others have accessed is learned only
    /// after some dozens. Default: as long as others; never shorter than <see cref="SwapInterval"/>.
    /// </summary>
    public TimeSpan LearningInterval { get; init; }

    /// <summary>Of all choices.</summary>
    public required int Seed { get; init; }

    /// <summary>What goes wrong while clients run; <see langword="null"/> for nothing.</summary>
    public ClusterFaults? Faults { get; init; }

    /// <summary>Default 3; 1 to <see cref="PolyjuiceTestClusterOptions.MaxSilos"/>.</summary>
    public int Silos { get; init; } = 3;

    /// <summary>Transaction engines of each silo. Default 1; 1 to 16.</summary>
    public int EnginesPerSilo { get; init; } = 1;

    /// <summary>Log partitions; 0 for as many as engines of all silos. Default 0.</summary>
    public int Partitions { get; init; }

    /// <summary>Where logs are. Default memory.</summary>
    public ChaosLogs Logs { get; init; }

    /// <summary>How much longer each append takes. Default 0; at most 10 s.</summary>
    public TimeSpan AppendDelay { get; init; }

    /// <summary>How long each message between processes is under way. Default 0; at most 10 s.</summary>
    public TimeSpan NetworkDelay { get; init; }

    /// <summary>
    /// How long a client waits for an answer. Default 2 s: Orleans loses what is under way when a connection breaks,
    /// and whoever waits for that stands in the way of others.
    /// </summary>
    public TimeSpan ResponseTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Clients of the closed loop. Default 16.</summary>
    public int Clients { get; init; } = 16;

    /// <summary>Operations in all; <see langword="null"/> for as many as there is <see cref="Time"/> for.</summary>
    public long? Operations { get; init; }

    /// <summary>How long things go wrong and clients run, if <see cref="Operations"/> does not say how much.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Clients go on beyond <see cref="Time"/>, without faults, until so many
    /// operations have committed: a run without any would prove nothing. Default 50.
    /// </summary>
    public int CommitsMin { get; init; } = 50;

    /// <summary>Skew of the choice of grains. Default 0.8.</summary>
    public double Theta { get; init; } = 0.8;

    /// <summary>
    /// Where evidence of a failed run is kept; <see langword="null"/> for the test cluster's default.
    /// </summary>
    public string? EvidenceFolder { get; init; }
}
