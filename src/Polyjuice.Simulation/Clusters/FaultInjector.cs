using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Clusters;

/// <summary>How often what goes wrong. Probabilities are per event of the loop.</summary>
internal sealed record FaultProfile
{
    public static FaultProfile None { get; } = new();

    public double Crash { get; init; }

    /// <summary>Another node takes a partition over whose owner lives and does not know.</summary>
    public double DuplicateOwner { get; init; }

    /// <summary>Two nodes lose sight of each other for a while.</summary>
    public double Partition { get; init; }

    /// <summary>A clock jumps within the cluster's skew.</summary>
    public double ClockJump { get; init; }

    public int CrashesMax { get; init; } = 4;

    /// <summary>A crashed silo is replaced after up to this many microseconds.</summary>
    public long RestartMax { get; init; } = 30_000;

    public long PartitionMax { get; init; } = 50_000;
}

/// <summary>Strikes at any event of a run, by its own random stream.</summary>
internal sealed class FaultInjector(SimulatedCluster cluster, FaultProfile profile, SimulationRandom random)
{
    private int _crashes;

    public bool IsOn { get; private set; }

    public void Start()
    {
        IsOn = true;
        cluster.Loop.BeforeEvent = BeforeEvent;
    }

    public void Stop()
    {
        IsOn = false;
        cluster.Loop.BeforeEvent = null;
    }

    private void BeforeEvent()
    {
        if (random.Chance(profile.Crash) && _crashes < profile.CrashesMax) Crash();
        if (random.Chance(profile.DuplicateOwner)) Duplicate();
        if (random.Chance(profile.Partition)) CutOff();
        if (random.Chance(profile.ClockJump)) Jump();
    }

    private void Crash()
    {
        _crashes++;
        cluster.Crash(random.Pick(cluster.Alive.ToArray()));
        cluster.Loop.Queue(random.Between(1, profile.RestartMax), EventKind.Fault, 1, () => cluster.AddNode());
        if (!cluster.Alive.Any()) cluster.AddNode();
    }

    private void Duplicate()
    {
        var alive = cluster.Alive.ToArray();
        cluster.Assign(random.Next(cluster.Shape.Partitions), random.Pick(alive));
    }

    private void CutOff()
    {
        var alive = cluster.Alive.ToArray();
        if (alive.Length < 2) return;
        var a = random.Pick(alive);
        var b = random.Pick(alive);
        if (a == b) return;
        cluster.TraceLine(() => $"{a.Id} and {b.Id} lose sight of each other");
        cluster.Network.Cut(a.Id, b.Id);
        cluster.Loop.Queue(random.Between(1_000, profile.PartitionMax), EventKind.Fault, 2, () => cluster.Network.Heal(a.Id, b.Id));
    }

    private void Jump()
    {
        var node = random.Pick(cluster.Alive.ToArray());
        node.ClockOffset = random.Between(-cluster.Shape.SkewMax, cluster.Shape.SkewMax);
        cluster.TraceLine(() => $"the clock of {node.Id} is off by {node.ClockOffset} µs now");
    }
}
