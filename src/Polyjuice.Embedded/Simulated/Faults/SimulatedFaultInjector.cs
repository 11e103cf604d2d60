using Polyjuice.Embedded.Core;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Embedded.Simulated;

/// <summary>Strikes at any event of a run, by a random stream of its own.</summary>
internal sealed class SimulatedFaultInjector(SimulatedEmbeddedCluster cluster, SimulatedWorld world, SimulatedMembership membership)
{
    private const int StrikeAfterEventsMax = 200;

    private readonly SimulationRandom _random = world.Random.Fork(5);
    private readonly List<(long Event, FaultKinds Kind)> _planned = [];
    private SimulatedFaults _faults = SimulatedFaults.None;
    private int _midBatchWanted;
    private int _crashes;

    private FaultProfile Nodes => _faults.Nodes;

    private FaultLedger Ledger => world.Faults;

    public void Start(SimulatedFaults faults)
    {
        _faults = faults;
        _crashes = 0;
        world.Network.Profile = faults.Network ?? world.Options.Network;
        world.Logs.Profile = faults.Storage ?? world.Options.Storage;
        world.Events.BeforeEvent = BeforeEvent;
        world.BeforeFlush = BeforeFlush;
    }

    /// <summary>Nothing goes wrong any more: what is cut heals, who is dead comes back. Clocks stay as they are.</summary>
    public void Stop()
    {
        _faults = SimulatedFaults.None;
        _planned.Clear();
        _midBatchWanted = 0;
        world.Events.BeforeEvent = null;
        world.BeforeFlush = null;
        world.Network.Profile = world.Options.Network;
        world.Logs.StopFaults();
        world.Logs.Profile = world.Options.Storage;
        world.Network.Heal();
        foreach (var silo in world.AliveSilos) Loop(silo).BeUsual();
        foreach (var place in cluster.Silos) place.Restart();
    }

    private static SimulatedLoop Loop(Node node) => (SimulatedLoop)node.Loop;

    /// <summary>Lets one fault strike within the next events.</summary>
    public void Plan(FaultKinds kind) => _planned.Add((world.Events.EventsRun + _random.Next(StrikeAfterEventsMax), kind));

    private void BeforeEvent()
    {
        for (var i = _planned.Count - 1; i >= 0; i--)
        {
            if (_planned[i].Event > world.Events.EventsRun) continue;
            var kind = _planned[i].Kind;
            _planned.RemoveAt(i);
            Strike(kind);
        }

        if (_random.Chance(Nodes.Crash)) Strike(FaultKinds.Crash);
        if (_random.Chance(Nodes.Outage)) Strike(FaultKinds.Outage);
        if (_random.Chance(Nodes.RivalOwner)) Strike(FaultKinds.RivalOwner);
        if (_random.Chance(Nodes.Partition)) Strike(FaultKinds.Partition);
        if (_random.Chance(Nodes.OneWayPartition)) Strike(FaultKinds.OneWayPartition);
        if (_random.Chance(Nodes.SlowSilo)) Strike(FaultKinds.SlowSilo);
        if (_random.Chance(Nodes.ClockJump)) Strike(FaultKinds.ClockJump);
    }

    private void Strike(FaultKinds kind)
    {
        switch (kind)
        {
            case FaultKinds.Crash when _crashes < Nodes.CrashesMax:
                Crash();
                break;
            case FaultKinds.CrashMidBatch when _crashes < Nodes.CrashesMax:
                _midBatchWanted++;
                break;
            case FaultKinds.Outage when _crashes < Nodes.CrashesMax:
                Outage();
                break;
            case FaultKinds.RivalOwner:
                Depose();
                break;
            case FaultKinds.Partition or FaultKinds.OneWayPartition:
                Cut(kind);
                break;
            case FaultKinds.SlowSilo:
                Slow();
                break;
            case FaultKinds.ClockJump:
                Jump();
                break;
        }
    }

    // How many messages of the flush go out before the silo dies in the middle of it; as many as there are if it does not.
    private int BeforeFlush(Node node)
    {
        if (node is not Silo || _crashes >= Nodes.CrashesMax) return int.MaxValue;
        if (_midBatchWanted > 0) _midBatchWanted--;
        else if (!_random.Chance(Nodes.CrashMidBatch)) return int.MaxValue;
        if (!Ledger.TryEnter(FaultKinds.CrashMidBatch)) return int.MaxValue;
        _crashes++;
        return _random.Next(3);
    }

    private void Crash()
    {
        if (Running() is not { } place || !Ledger.TryEnter(FaultKinds.Crash)) return;
        _crashes++;
        KillForAWhile(place);
    }

    private void Outage()
    {
        if (!Ledger.TryEnter(FaultKinds.Outage)) return;
        _crashes = Nodes.CrashesMax;
        foreach (var place in cluster.Silos.Where(place => place.IsRunning)) KillForAWhile(place);
    }

    /// <summary>Kills a silo, and lets it come back.</summary>
    public void KillForAWhile(SimulatedSilo place)
    {
        place.Kill();
        world.Events.Queue(_random.Between(1, Math.Max(1, Nodes.RestartMax)), EventKind.Fault, 1, place.Restart);
    }

    private void Depose()
    {
        if (Running() is not { Node: { } rival } || !Ledger.TryEnter(FaultKinds.RivalOwner)) return;
        membership.Assign(_random.Next(membership.Partitions), rival);
    }

    private void Cut(FaultKinds kind)
    {
        Node[] nodes = [.. world.Alive];
        var (one, other) = (_random.Pick(nodes), _random.Pick(nodes));
        if (one == other || !Ledger.TryEnter(kind)) return;
        if (kind == FaultKinds.Partition)
        {
            world.TraceLine(() => $"{one.Id} and {other.Id} lose sight of each other");
            world.Network.Cut(one.Id, other.Id);
        }
        else
        {
            world.TraceLine(() => $"{other.Id} does not hear {one.Id} any more");
            world.Network.CutOneWay(one.Id, other.Id);
        }

        world.Events.Queue(_random.Between(1, Nodes.PartitionMax), EventKind.Fault, 2, () => world.Network.Heal(one.Id, other.Id));
    }

    private void Slow()
    {
        if (Running() is not { Node: { } silo } || !Ledger.TryEnter(FaultKinds.SlowSilo)) return;
        var lasts = _random.Between(1, Nodes.SlowMax);
        var perTurn = _random.Chance(0.5) ? 0 : _random.Between(20, 400);
        world.TraceLine(() => perTurn == 0 ? $"{silo.Id} stands still for {lasts} µs" : $"{silo.Id} needs {perTurn} µs per turn for {lasts} µs");
        Loop(silo).BeSlow(lasts, perTurn);
    }

    private void Jump()
    {
        if (!Ledger.TryEnter(FaultKinds.ClockJump)) return;
        var node = _random.Pick<Node>([.. world.Alive]);
        Loop(node).ClockOffset = _random.Between(-_faults.ClockJumpMax, _faults.ClockJumpMax);
        world.TraceLine(() => $"the clock of {node.Name} {node.Id} is off by {Loop(node).ClockOffset} µs now");
    }

    private SimulatedSilo? Running()
    {
        SimulatedSilo[] running = [.. cluster.Silos.Where(place => place.IsRunning)];
        return running.Length == 0 ? null : _random.Pick(running);
    }
}
