namespace Polyjuice.Simulation.Faults;

/// <summary>
/// How often what goes wrong with silos, clocks and owners.
/// Probabilities are per event of the loop; times are microseconds.
/// </summary>
internal sealed record FaultProfile
{
    /// <summary>Nothing goes wrong.</summary>
    public static FaultProfile None { get; } = new();

    /// <summary>A silo dies between two events.</summary>
    public double Crash { get; init; }

    /// <summary>A silo that is about to flush dies in the middle of it; per flush.</summary>
    public double CrashMidBatch { get; init; }

    /// <summary>All silos die.</summary>
    public double Outage { get; init; }

    /// <summary>Another node takes a partition over whose owner lives and does not know.</summary>
    public double RivalOwner { get; init; }

    /// <summary>Two nodes lose sight of each other for a while.</summary>
    public double Partition { get; init; }

    /// <summary>One node does not hear another for a while.</summary>
    public double OneWayPartition { get; init; }

    /// <summary>A node stands still for a while, or serves its events late.</summary>
    public double SlowSilo { get; init; }

    /// <summary>A clock jumps within the cluster's skew.</summary>
    public double ClockJump { get; init; }

    /// <summary>A clock of a node that owns nothing runs wild.</summary>
    public double WildClock { get; init; }

    /// <summary>Faults of these kinds that surely happen, spread over the run's transactions.</summary>
    public FaultKinds StrikeKinds { get; init; }

    /// <summary>How many of those.</summary>
    public int Strikes { get; init; }

    /// <summary>Faults of these kinds strike right after a step of the commit protocol.</summary>
    public FaultKinds AimedKinds { get; init; }

    /// <summary>How many of those, if the steps that they are aimed at occur.</summary>
    public int AimedStrikes { get; init; }

    /// <summary>Silos that die one by one, at the most. Default 4.</summary>
    public int CrashesMax { get; init; } = 4;

    /// <summary>A crashed silo is replaced after up to this. Default 30 ms.</summary>
    public long RestartMax { get; init; } = 30_000;

    /// <summary>How long nodes do not see each other, at the most. Default 50 ms.</summary>
    public long PartitionMax { get; init; } = 50_000;

    /// <summary>How long a node is slow, at the most. Default 30 ms.</summary>
    public long SlowMax { get; init; } = 30_000;
}
