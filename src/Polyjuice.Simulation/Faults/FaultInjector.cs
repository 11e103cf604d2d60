using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Faults;

/// <summary>Strikes at any event of a run, by its own random stream.</summary>
internal sealed class FaultInjector
{
    private const int StrikeAfterEventsMax = 200;

    private readonly SimulatedCluster _cluster;
    private readonly FaultProfile _profile;
    private readonly SimulationRandom _random;
    private readonly Queue<(int Transaction, FaultKinds Kind)> _plan = [];
    private readonly List<(long Event, FaultKinds Kind)> _armed = [];
    private readonly AimedFaults _aimed;
    private int _midBatchWanted;
    private int _crashes;

    public FaultInjector(
        SimulatedCluster cluster, FaultProfile profile, SimulationRandom random, int transactions,
        IReadOnlyList<Aim>? aims = null)
    {
        _cluster = cluster;
        _profile = profile;
        _random = random;
        _aimed = new AimedFaults(
            cluster,
            [.. RandomAims.Draw(random.Fork(1), profile.AimedKinds, profile.AimedStrikes), .. aims ?? []],
            random.Fork(2),
            StrikeAt);
        var kinds = FaultLedger.Kinds.Where(k => (k & profile.StrikeKinds) != 0).ToArray();
        if (kinds.Length == 0) return;
        var at = Enumerable.Range(0, profile.Strikes).Select(_ => random.Next(Math.Max(1, transactions))).Order();
        foreach (var transaction in at) _plan.Enqueue((transaction, random.Pick(kinds)));
    }

    private FaultLedger Ledger => _cluster.Faults;

    public void Start()
    {
        _cluster.Loop.BeforeEvent = BeforeEvent;
        _cluster.BeforeFlush = BeforeFlush;
        _aimed.Start();
    }

    public void Stop()
    {
        _cluster.Loop.BeforeEvent = null;
        _cluster.BeforeFlush = null;
        _aimed.Stop();
    }

    /// <summary>
    /// So many transactions have been started: what is planned for then is due within the next events.
    /// </summary>
    public void TransactionStarted(int count)
    {
        while (_plan.TryPeek(out var next) && next.Transaction < count)
        {
            _plan.Dequeue();
            _armed.Add((_cluster.Loop.EventsRun + _random.Next(StrikeAfterEventsMax), next.Kind));
        }
    }

    private void BeforeEvent()
    {
        for (var i = _armed.Count - 1; i >= 0; i--)
        {
            if (_armed[i].Event > _cluster.Loop.EventsRun) continue;
            var kind = _armed[i].Kind;
            _armed.RemoveAt(i);
            Strike(kind);
        }

        if (_random.Chance(_profile.Crash)) Strike(FaultKinds.Crash);
        if (_random.Chance(_profile.Outage)) Strike(FaultKinds.Outage);
        if (_random.Chance(_profile.RivalOwner)) Strike(FaultKinds.RivalOwner);
        if (_random.Chance(_profile.Partition)) Strike(FaultKinds.Partition);
        if (_random.Chance(_profile.OneWayPartition)) Strike(FaultKinds.OneWayPartition);
        if (_random.Chance(_profile.SlowSilo)) Strike(FaultKinds.SlowSilo);
        if (_random.Chance(_profile.ClockJump)) Strike(FaultKinds.ClockJump);
        if (_random.Chance(_profile.WildClock)) Strike(FaultKinds.WildClock);
    }

    /// <summary>A node is about to send and append what has accumulated: perhaps only some of it.</summary>
    private void BeforeFlush(SimulatedNode node)
    {
        if (_midBatchWanted > 0) _midBatchWanted--;
        else if (!_random.Chance(_profile.CrashMidBatch) || _crashes >= _profile.CrashesMax) return;
        _crashes++;
        if (Ledger.TryEnter(FaultKinds.CrashMidBatch)) node.CrashAfterOutputs(_random.Next(3), () => Restart());
    }

    private void Strike(FaultKinds kind)
    {
        switch (kind)
        {
            case FaultKinds.Crash when _crashes < _profile.CrashesMax:
                _crashes++;
                if (!Ledger.TryEnter(kind)) break;
                _cluster.Crash(_random.Pick(_cluster.Alive));
                Restart();
                break;
            case FaultKinds.CrashMidBatch when _crashes < _profile.CrashesMax:
                _midBatchWanted++;
                break;
            case FaultKinds.Outage when _crashes < _profile.CrashesMax:
                _crashes++;
                if (Ledger.TryEnter(kind)) Outage();
                break;
            case FaultKinds.RivalOwner:
                if (Ledger.TryEnter(kind)) Rival();
                break;
            case FaultKinds.MistakenDeath:
                TakeForDead(_random.Pick(InTheMiddle()));
                break;
            case FaultKinds.Partition or FaultKinds.OneWayPartition:
                CutOff(kind);
                break;
            case FaultKinds.SlowSilo:
                if (Ledger.TryEnter(kind)) Slow();
                break;
            case FaultKinds.WildClock:
                RunWild();
                break;
            case FaultKinds.ClockJump when _cluster.Shape.SkewMax > 0:
                if (Ledger.TryEnter(kind)) Jump();
                break;
        }
    }

    /// <summary>Strikes this node, or a partition of which it has just written the log.</summary>
    private void StrikeAt(FaultKinds kind, SimulatedNode node, int partition)
    {
        _cluster.TraceLine(() => $"aimed at {node.Id}{(partition < 0 ? "" : $", partition {partition}")}: {kind}");
        switch (kind)
        {
            case FaultKinds.Crash when _crashes < _profile.CrashesMax && Ledger.TryEnter(kind):
                _crashes++;
                _cluster.Crash(node);
                Restart();
                break;
            case FaultKinds.CrashMidBatch when _crashes < _profile.CrashesMax && Ledger.TryEnter(kind):
                _crashes++;
                node.CrashAfterOutputs(_random.Next(3), Restart);
                break;
            case FaultKinds.SlowSilo when Ledger.TryEnter(kind):
                node.BeSlow(_random.Between(1_000, _profile.SlowMax), perEvent: 0);
                break;
            case FaultKinds.RivalOwner when OneOf(node, partition) is { } unit && _cluster.Candidates.Count > 0
                && Ledger.TryEnter(kind):
                _cluster.Assign(unit, _random.Pick(_cluster.Candidates));
                break;
            case FaultKinds.MistakenDeath:
                TakeForDead(node);
                break;
            case FaultKinds.Crash or FaultKinds.CrashMidBatch or FaultKinds.SlowSilo:
                break;
            default:
                Strike(kind);
                break;
        }
    }

    /// <summary>The partition, or any that the node owns.</summary>
    private int? OneOf(SimulatedNode node, int partition)
    {
        if (partition >= 0) return partition;
        var owned = Enumerable.Range(0, _cluster.Accounts.Count).Where(unit => _cluster.OwnerOf(unit) == node)
            .ToArray();
        return owned.Length > 0 ? _random.Pick(owned) : null;
    }

    private void Rival()
    {
        var candidates = _cluster.Candidates;
        if (candidates.Count > 0) _cluster.Assign(_random.Next(_cluster.Accounts.Count), _random.Pick(candidates));
    }

    /// <summary>
    /// Only who owns nothing: an owner would write its clock into the log, and its successor would have to wait for it.
    /// </summary>
    private void RunWild()
    {
        var idle = _cluster.Alive.Where(node => !node.IsWild && _cluster.OwnsNothing(node)).ToArray();
        if (idle.Length == 0 || idle.Length == _cluster.Alive.Count || !Ledger.TryEnter(FaultKinds.WildClock)) return;
        var node = _random.Pick(idle);
        node.IsWild = true;
        var skew = _cluster.Shape.Options.MaxClockSkewMicroseconds;
        node.ClockOffset = (2 * skew) + _cluster.Shape.SkewMax + (4 * _cluster.Shape.Options.CeilingAheadMicroseconds)
            + _random.Between(0, 4 * skew);
        _cluster.TraceLine(() => $"the clock of {node.Id} runs wild: {node.ClockOffset} µs ahead");
        _cluster.Loop.Queue(_random.Between(1_000, _profile.SlowMax), EventKind.Fault, 3, () => node.ClockOffset = 0);
    }

    /// <summary>Silos of which something is under way, if there are any.</summary>
    private IReadOnlyList<SimulatedNode> InTheMiddle()
    {
        SimulatedNode[] busy = [.. _cluster.Alive.Where(static node => node.Engine.HasTransactions)];
        return busy.Length > 0 ? busy : _cluster.Alive;
    }

    /// <summary>Others must be there to take over what it owns.</summary>
    private void TakeForDead(SimulatedNode node)
    {
        if (_crashes >= _profile.CrashesMax || node.IsTakenForDead || node.IsWild
            || !_cluster.Candidates.Any(other => other != node) || !Ledger.TryEnter(FaultKinds.MistakenDeath))
            return;
        _crashes++;
        _cluster.Deaths.Begin(new MistakenDeath(
            node,
            StandsStill: _random.Chance(0.3),
            HearsStorage: _random.Chance(0.3),
            DeclaredAfter: _random.Between(0, _profile.SlowMax),
            BackAfter: _random.Between(1_000, _profile.PartitionMax),
            ToldAfter: _random.Between(0, 2 * _profile.PartitionMax)));
        Restart();
    }

    private void Restart()
    {
        _cluster.Loop.Queue(_random.Between(1, _profile.RestartMax), EventKind.Fault, 1, () => _cluster.AddNode());
        if (_cluster.Alive.Count == 0) _cluster.AddNode();
    }

    private void Outage()
    {
        _cluster.TraceLine(() => "all silos die");
        var dead = _cluster.Alive;
        foreach (var node in dead) _cluster.Crash(node);
        for (var i = 1; i < dead.Count; i++)
            _cluster.Loop.Queue(_random.Between(1, _profile.RestartMax), EventKind.Fault, 1, () => _cluster.AddNode());
        _cluster.AddNode();
    }

    private void CutOff(FaultKinds kind)
    {
        var alive = _cluster.Alive;
        if (alive.Count < 2) return;
        var one = _random.Next(alive.Count);
        var (a, b) = (alive[one], alive[(one + 1 + _random.Next(alive.Count - 1)) % alive.Count]);
        if (!Ledger.TryEnter(kind)) return;
        if (kind == FaultKinds.Partition)
        {
            _cluster.TraceLine(() => $"{a.Id} and {b.Id} lose sight of each other");
            _cluster.Network.Cut(a.Id, b.Id);
        }
        else
        {
            _cluster.TraceLine(() => $"{b.Id} does not hear {a.Id} any more");
            _cluster.Network.CutOneWay(a.Id, b.Id);
        }

        _cluster.Loop.Queue(
            _random.Between(1_000, _profile.PartitionMax),
            EventKind.Fault,
            2,
            () => _cluster.Network.Heal(a.Id, b.Id));
    }

    private void Slow()
    {
        var node = _random.Pick(_cluster.Alive);
        var lasts = _random.Between(1_000, _profile.SlowMax);
        var perEvent = _random.Chance(0.5) ? 0 : _random.Between(20, 400);
        _cluster.TraceLine(
            () => perEvent == 0
                ? $"{node.Id} stands still for {lasts} µs"
                : $"{node.Id} needs {perEvent} µs per event for {lasts} µs");
        node.BeSlow(lasts, perEvent);
    }

    private void Jump()
    {
        var node = _random.Pick(_cluster.Alive);
        if (node.IsWild) return;
        node.ClockOffset = _random.Between(-_cluster.Shape.SkewMax, _cluster.Shape.SkewMax);
        _cluster.TraceLine(() => $"the clock of {node.Id} is off by {node.ClockOffset} µs now");
    }
}
