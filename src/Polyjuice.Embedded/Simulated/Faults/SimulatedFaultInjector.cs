using Polyjuice.Embedded.Core;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Embedded.Simulated;

/// <summary>Strikes at any event of a run, by a random stream of its own.</summary>
internal sealed class SimulatedFaultInjector(SimulatedEmbeddedCluster cluster, SimulatedWorld world, SimulatedMembership membership)
{
    /// <summary>How many times as long as usual a slow silo takes, at most.</summary>
    private const int SlownessMax = 100;

    private readonly SimulationRandom _random = world.Random.Fork(5);
    private SimulatedFaults _faults = SimulatedFaults.None;
    private int _crashesAtStart;

    public void Start(SimulatedFaults faults)
    {
        _faults = faults;
        _crashesAtStart = world.Counts.Crashes;
        world.Network.Profile = world.Options.Network with { Loss = faults.MessageLoss, Duplication = faults.MessageDuplication, Stray = faults.MessageDelay };
        world.Logs.Profile = world.Options.Storage with { Errors = faults.AppendErrors, Slow = faults.SlowAppends };
        world.Events.BeforeEvent = BeforeEvent;
    }

    /// <summary>Nothing goes wrong any more: what is cut heals, who is dead comes back. Clocks stay as they are.</summary>
    public void Stop()
    {
        world.Events.BeforeEvent = null;
        world.Network.Profile = world.Options.Network;
        world.Logs.Profile = world.Options.Storage;
        world.Network.Heal();
        foreach (var silo in world.AliveSilos) Loop(silo).Slowness = 1;
        foreach (var place in cluster.Silos) place.Restart();
    }

    private static SimulatedLoop Loop(Node node) => (SimulatedLoop)node.Loop;

    private void BeforeEvent()
    {
        if (_random.Chance(_faults.Crashes) && world.Counts.Crashes - _crashesAtStart < _faults.CrashesMax) Crash();
        if (_random.Chance(_faults.RivalOwners)) Depose();
        if (_random.Chance(_faults.Cuts)) Cut();
        if (_random.Chance(_faults.SlowSilos)) Slow();
        if (_random.Chance(_faults.ClockJumps)) Jump();
    }

    private void Crash()
    {
        if (Running() is not { } place) return;
        place.Kill();
        world.Events.Queue(_random.Between(1, _faults.RestartMax), EventKind.Fault, 1, place.Restart);
    }

    private void Depose()
    {
        if (Running() is not { Node: { } rival }) return;
        world.Counts.RivalOwners++;
        membership.Assign(_random.Next(membership.Partitions), rival);
    }

    private void Cut()
    {
        Node[] nodes = [.. world.Alive];
        var (one, other) = (_random.Pick(nodes), _random.Pick(nodes));
        if (one == other) return;
        world.Counts.Cuts++;
        var isOneWay = _random.Chance(0.5);
        world.TraceLine(() => $"{one.Id} {(isOneWay ? "is not heard by" : "and")} {other.Id}{(isOneWay ? "" : " lose sight of each other")} for a while");
        if (isOneWay) world.Network.CutOneWay(one.Id, other.Id);
        else world.Network.Cut(one.Id, other.Id);
        world.Events.Queue(_random.Between(1, _faults.CutMax), EventKind.Fault, 2, () => world.Network.Heal(one.Id, other.Id));
    }

    private void Slow()
    {
        if (Running() is not { Node: { } silo }) return;
        world.Counts.SlowSilos++;
        Loop(silo).Slowness = (int)_random.Between(2, SlownessMax);
        world.TraceLine(() => $"{silo.Name} {silo.Id} is slow for a while");
        world.Events.Queue(_random.Between(1, _faults.SlowMax), EventKind.Fault, 3, () => Loop(silo).Slowness = 1);
    }

    private void Jump()
    {
        var node = _random.Pick<Node>([.. world.Alive]);
        world.Counts.ClockJumps++;
        Loop(node).ClockOffset = _random.Between(-_faults.ClockJumpMax, _faults.ClockJumpMax);
        world.TraceLine(() => $"the clock of {node.Name} {node.Id} is off by {Loop(node).ClockOffset} µs now");
    }

    private SimulatedSilo? Running()
    {
        SimulatedSilo[] running = [.. cluster.Silos.Where(place => place.IsRunning)];
        return running.Length == 0 ? null : _random.Pick(running);
    }
}
