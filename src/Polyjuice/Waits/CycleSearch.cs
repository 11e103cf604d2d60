using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>
/// Finds the cycle that a new wait closes at this node. Looks from both ends, always where less has been done so far:
/// who joins a long queue and has nobody behind it is told at once, and so is who has a long queue behind it and waits
/// for one that waits for nobody.
/// </summary>
internal sealed class CycleSearch(EngineStatistics statistics)
{
    private readonly List<LocalTransaction> _ahead = [];
    private readonly List<LocalTransaction> _behind = [];
    private readonly List<Wait> _cycle = [];
    private long _mark;

    /// <summary>
    /// The youngest member of a cycle through the wait, or <see langword="null"/> when it closes none.
    /// </summary>
    public LocalTransaction? FindYoungest(Wait wait)
    {
        if (wait.Target == wait.Waiter) return wait.Waiter;
        if (wait.Target.Edges is not { Waits.Count: > 0 } target
            || wait.Waiter.Edges is not { Waiters.Count: > 0 } waiter)
            return null;
        _mark += 2;
        _ahead.Clear();
        _behind.Clear();
        _ahead.Add(wait.Target);
        _behind.Add(wait.Waiter);
        target.SearchMark = _mark;
        target.SearchVia = null;
        waiter.SearchMark = _mark + 1;
        waiter.SearchVia = null;
        var (ahead, behind, stepsAhead, stepsBehind) = (0, 0, 0, 0);
        while (ahead < _ahead.Count && behind < _behind.Count)
        {
            var forward = _ahead[ahead].Edges!.Waits;
            var backward = _behind[behind].Edges!.Waiters;
            if (stepsAhead + forward.Count <= stepsBehind + backward.Count)
            {
                ahead++;
                stepsAhead += forward.Count + 1;
                statistics.WaitSteps += forward.Count + 1;
                foreach (var edge in forward)
                {
                    if (Reach(edge.Target, edge, _mark, _ahead)) return Youngest(edge, wait);
                }
            }
            else
            {
                behind++;
                stepsBehind += backward.Count + 1;
                statistics.WaitSteps += backward.Count + 1;
                foreach (var edge in backward)
                {
                    if (Reach(edge.Waiter, edge, _mark + 1, _behind)) return Youngest(edge, wait);
                }
            }
        }

        return null;
    }

    /// <summary>Marks a transaction as reached from one end; true when the other end has reached it already.</summary>
    private bool Reach(LocalTransaction transaction, Wait via, long mark, List<LocalTransaction> reached)
    {
        var node = transaction.Edges!;
        if (node.SearchMark == mark) return false;
        if (node.SearchMark >= _mark) return true;
        node.SearchMark = mark;
        node.SearchVia = via;
        reached.Add(transaction);
        return false;
    }

    /// <summary>
    /// The youngest of the cycle in which the two ends met at an
    /// edge. Who is only ahead of another in a queue is none of it.
    /// </summary>
    private LocalTransaction Youngest(Wait met, Wait closing)
    {
        _cycle.Clear();
        for (var edge = met; edge is not null; edge = edge.Waiter.Edges!.SearchVia) _cycle.Add(edge);
        _cycle.Reverse();
        for (var edge = met.Target.Edges!.SearchVia; edge is not null; edge = edge.Target.Edges!.SearchVia)
            _cycle.Add(edge);

        // From the target of the closing wait to its waiter; with it, every
        // member is the target of one edge and the waiter of the next.
        LocalTransaction? youngest = null;
        var before = closing;
        foreach (var edge in _cycle)
        {
            if (!before.IsOnlyAheadOf(edge) && (youngest is null || edge.Waiter.IsYoungerThan(youngest)))
                youngest = edge.Waiter;
            before = edge;
        }

        if (!before.IsOnlyAheadOf(closing) && (youngest is null || closing.Waiter.IsYoungerThan(youngest)))
            youngest = closing.Waiter;
        return youngest ?? closing.Waiter;
    }
}
