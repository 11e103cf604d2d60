using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Waits;

/// <summary>
/// Looks for wait cycles across nodes (edge chasing; Chandy, Misra, Haas 1983). A cycle leaves a node by a transaction
/// that is waited for here and waits elsewhere, so only such send probes: of a queue its head, not its members. A probe
/// that comes back to the one that sent it has met the youngest on the way, which loses.
/// </summary>
/// <remarks>
/// Of those of a cycle the oldest alone finds it: whoever is reached by the probe of a younger one drops it, and sends
/// its own (Sinha, Natarajan, "A priority based distributed deadlock detection algorithm", IEEE Transactions on
/// Software Engineering 1985). Mostly the younger wait for the older, so most probes end after one hop; if all were
/// passed on, of those that wait for each other every one would pass every other one. What is left of that is bounded
/// by <see cref="ProbeBudget"/>.
/// </remarks>
internal sealed class WaitProbes(
    EngineContext context, Mail mail, Timers timers, WaitGraph graph, IWaitEvents events)
{
    /// <summary>
    /// Hops of a probe between nodes at the most. It passes each
    /// transaction once, so this bounds what a lost memory of that costs.
    /// </summary>
    private const int MaxHops = 1_024;

    private const int PassedMax = 8_192;

    /// <summary>
    /// A probe's interval grows with the time that its transaction has been waited for, to this many times the first.
    /// </summary>
    private const int IntervalGrowthMax = 8;

    private readonly PriorityQueue<LocalTransaction, long> _due = new();
    private readonly List<ProbeMessage> _arrived = [];
    private readonly WaitWalk _walk = new(context, events);

    /// <summary>
    /// The latest round in which a probe passed a transaction here:
    /// each passes once, or their number would grow with every hop.
    /// </summary>
    private readonly Dictionary<(NodeId Origin, TransactionId Initiator, TransactionId At), int> _passed = [];
    private int _round;
    private ProbeBudget _budget;

    /// <summary>When the next transaction is to be looked at, or <see cref="long.MaxValue"/>.</summary>
    public long NextAt => _due.TryPeek(out _, out var at) ? Math.Max(at, _budget.FreeAt(context.Now)) : long.MaxValue;

    /// <summary>
    /// Somebody waits for it from now on, or it has stopped waiting itself: whether it gets on is to be seen to.
    /// </summary>
    public void Watch(LocalTransaction transaction, long now)
    {
        if (transaction.Edges is not { } node) return;
        node.WatchedSince = now;
        Schedule(transaction, node, now + context.Options.ProbeMicroseconds);
    }

    /// <summary>Sends the probes that are due.</summary>
    public void Tick(long now)
    {
        _walk.Begin();
        while (_budget.FreeAt(now) <= now && _due.TryPeek(out var transaction, out var at) && at <= now)
        {
            _due.Dequeue();
            context.Statistics.WaitSteps++;
            var node = transaction.Edges!;
            if (node.NextProbeAt != at) continue;
            node.NextProbeAt = 0;
            if (node.Waiters.Count == 0 || transaction.IsEnded || transaction.IsSealed) continue;

            // The head of its queue is looked at; this one again when it is the head.
            if (WaitWalk.WaitsHereOnly(transaction)) continue;

            // A cycle takes a wait other than for a reservation at one of its
            // nodes, which then asks; and of those of a cycle the oldest.
            var mayClose = graph.HasUnordered || node.WasAsked;
            node.WasAsked = false;
            var (least, most) =
                (context.Options.ProbeMicroseconds, context.Options.ProbeMicroseconds * IntervalGrowthMax);
            var interval = mayClose ? Math.Clamp((now - node.WatchedSince) / 4, least, most) : most;
            if (mayClose && _walk.MayWaitElsewhere(transaction))
            {
                var probe = new ProbeMessage
                {
                    Initiator = transaction.Id, InitiatorAge = transaction.FirstAttempt, Origin = context.Node,
                    Round = ++_round, IsSoon = interval < most,
                };
                Pass(probe, transaction, fromAgent: false);
            }

            Schedule(transaction, node, now + interval);
        }
    }

    /// <summary>A probe from another node. Those of one batch are served by one walk.</summary>
    public void Arrive(in Message message)
    {
        var probe = ProbeMessage.Read(message);
        if (probe.Hops < MaxHops) _arrived.Add(probe);
    }

    public void PassOn()
    {
        if (_arrived.Count == 0) return;
        _walk.Begin();
        foreach (var probe in _arrived)
        {
            if (events.Find(probe.At) is not { IsEnded: false, IsSealed: false } at
                || HasPassed(probe, at.Id)) continue;
            Pass(probe, at, fromAgent: !probe.IsToAgent);
        }

        _arrived.Clear();
    }

    /// <summary>Sends a probe on to wherever the transaction that it has reached may wait.</summary>
    private void Pass(in ProbeMessage probe, LocalTransaction at, bool fromAgent)
    {
        for (var exit = _walk.ExitsOf(at); exit is not null; exit = exit.Next)
        {
            var next = Met(probe, WaitWalk.YoungerOf(at, exit.Youngest));
            if (exit.Transaction.Id == probe.Initiator)
            {
                var victim = new Message { Kind = MessageKind.Victim, Transaction = next.Youngest };
                mail.Send(next.YoungestNode, victim);
            }
            else if (IsOlder(exit.Transaction, probe))
            {
                // It may have waited here alone when somebody began to wait for it,
                // or have asked in vain so often that it was to wait for longer.
                var (node, soon) = (exit.Transaction.Edges!, context.Now + context.Options.ProbeMicroseconds);
                node.WasAsked = true;
                if (node.NextProbeAt == 0 || (probe.IsSoon && node.NextProbeAt > soon))
                    Schedule(exit.Transaction, node, soon);
            }
            else if (!HasPassed(probe, exit.Transaction.Id))
            {
                Forward(next, exit.Transaction, fromAgent: false);
            }
        }

        Forward(probe, at, fromAgent);
    }

    private void Forward(in ProbeMessage probe, LocalTransaction at, bool fromAgent)
    {
        foreach (var (node, isAgent) in WaitPlaces.Of(context.Node, events, at, fromAgent))
            Send(node, probe with { At = at.Id, Hops = probe.Hops + 1, IsToAgent = isAgent });
    }

    private void Send(NodeId node, in ProbeMessage probe)
    {
        context.Statistics.ProbesSent++;
        _budget.Spend(context.Now);
        mail.Send(node, probe);
    }

    /// <summary>
    /// Whether it is older than the one that has sent a probe. Engines
    /// of before do not say how old that is: theirs go everywhere.
    /// </summary>
    private static bool IsOlder(LocalTransaction transaction, in ProbeMessage probe) =>
        probe.InitiatorAge != 0
            && LocalTransaction.IsYounger(
                probe.InitiatorAge, probe.Initiator, transaction.FirstAttempt, transaction.Id);

    private bool HasPassed(in ProbeMessage probe, TransactionId at)
    {
        var key = (probe.Origin, probe.Initiator, at);
        if (_passed.TryGetValue(key, out var round) && round >= probe.Round) return true;
        if (_passed.Count >= PassedMax) _passed.Clear();
        _passed[key] = probe.Round;
        return false;
    }

    /// <summary>
    /// The probe with the younger of two: the one that it has met before, with the node where that waits, and this one.
    /// </summary>
    private ProbeMessage Met(in ProbeMessage probe, LocalTransaction waiting)
    {
        var isYoungest = !probe.HasMetAny
            || LocalTransaction.IsYounger(waiting.FirstAttempt, waiting.Id, probe.YoungestAge, probe.Youngest);
        return isYoungest ? probe.MeetingYounger(waiting.Id, waiting.FirstAttempt, context.Node) : probe;
    }

    private void Schedule(LocalTransaction transaction, WaitNode node, long at)
    {
        node.NextProbeAt = at;
        _due.Enqueue(transaction, at);
        timers.EnsureProbing(at);
    }
}
