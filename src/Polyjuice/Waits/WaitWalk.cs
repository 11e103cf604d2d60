using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Waits;

/// <summary>
/// A transaction that another one waits for here, directly or not, and that may wait at another node.
/// </summary>
/// <param name="Transaction">Which.</param>
/// <param name="Youngest">
/// The youngest of those between the two, but for those who are only ahead of another in a queue;
/// <see langword="null"/> if there are none.
/// </param>
/// <param name="Via">The first edge on the way to it.</param>
/// <param name="Next">The next of the list.</param>
internal sealed record WaitExit(LocalTransaction Transaction, LocalTransaction? Youngest, Wait Via, WaitExit? Next);

/// <summary>
/// Where the waits of a transaction at this node lead out of it. One walk serves all probes of a batch and visits each
/// transaction once, however many wait behind it; it does not recurse, because queues may be long.
/// </summary>
internal sealed class WaitWalk(EngineContext context, IWaitEvents events)
{
    private readonly Stack<LocalTransaction> _path = new();
    private long _mark;

    /// <summary>Forgets what the last walk has found out: the graph may have changed since.</summary>
    public void Begin() => _mark += 2;

    /// <summary>The ends of its waits, and of theirs, that may wait elsewhere.</summary>
    public WaitExit? ExitsOf(LocalTransaction from)
    {
        if (from.Edges is not { Waits.Count: > 0 } start) return null;
        if (start.WalkMark == _mark + 1) return start.WalkExits;
        _path.Push(from);
        while (_path.TryPeek(out var at))
        {
            var node = at.Edges!;
            if (node.WalkMark == _mark + 1)
            {
                _path.Pop();
                continue;
            }

            if (node.WalkMark != _mark)
            {
                // First those that it waits for. What is open already would be
                // a cycle inside the node, which has been broken.
                node.WalkMark = _mark;
                context.Statistics.WaitSteps++;
                foreach (var wait in node.Waits)
                {
                    if (IsBlocking(wait.Target) && wait.Target.Edges!.WalkMark < _mark) _path.Push(wait.Target);
                }

                continue;
            }

            node.WalkExits = Merge(node.Waits);
            node.WalkMark = _mark + 1;
        }

        return start.WalkExits;
    }

    /// <summary>
    /// Whether a transaction may wait, or be waiting for an answer, somewhere else. One whose calls were all made one
    /// after the other and that waits here waits nowhere else: its agent need not be asked, which spares a queue's
    /// members a message each.
    /// </summary>
    public bool MayWaitElsewhere(LocalTransaction transaction)
    {
        if (!IsBlocking(transaction) || WaitsHereOnly(transaction)) return false;
        if (transaction.RemoteCalls is { Count: > 0 }) return true;
        if (transaction.AgentSide is not { } agent) return transaction.Id.Node != context.Node;
        foreach (var part in agent.PartsNotOrdered())
        {
            if (part.Node != context.Node) return true;
        }

        foreach (var _ in events.NodesOfChain(transaction)) return true;
        return false;
    }

    /// <summary>Whether it waits in an access here, and nothing else of it can be under way.</summary>
    public static bool WaitsHereOnly(LocalTransaction transaction)
    {
        if (transaction.IsParallel || transaction.Waits is not { Count: > 0 } waits
            || transaction.RemoteCalls is { Count: > 0 })
            return false;
        if (waits.Count == 1) return waits[0].SiteId is not (Wait.NoSite or Wait.HandedOnSite);

        // Who waits for several reservations may wait for others elsewhere. What
        // keeps those is found from there; and what keeps these, from here.
        foreach (var wait in waits)
        {
            if (!wait.IsForReservation) return false;
        }

        return true;
    }

    private static bool IsBlocking(LocalTransaction transaction) => !transaction.IsEnded && !transaction.IsSealed;

    public static LocalTransaction YoungerOf(LocalTransaction one, LocalTransaction? other) =>
        other is not null && other.IsYoungerThan(one) ? other : one;

    private WaitExit? Merge(List<Wait> waits)
    {
        WaitExit? exits = null;
        foreach (var wait in waits)
        {
            if (!IsBlocking(wait.Target)) continue;
            if (MayWaitElsewhere(wait.Target)) Add(wait.Target, null, wait);
            if (wait.Target.Edges is not { } target || target.WalkMark != _mark + 1) continue;
            for (var exit = target.WalkExits; exit is not null; exit = exit.Next)
                Add(
                    exit.Transaction,
                    wait.IsOnlyAheadOf(exit.Via) ? exit.Youngest : YoungerOf(wait.Target, exit.Youngest),
                    wait);
        }

        return exits;

        void Add(LocalTransaction transaction, LocalTransaction? youngest, Wait via)
        {
            for (var known = exits; known is not null; known = known.Next)
            {
                if (known.Transaction == transaction) return;
            }

            context.Statistics.WaitSteps++;
            exits = new WaitExit(transaction, youngest, via, exits);
        }
    }
}
