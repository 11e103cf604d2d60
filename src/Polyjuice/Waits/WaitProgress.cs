using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>
/// When those have last got on for whom a transaction waits at this node, directly or not: a queue that moves is slow,
/// and stands still for nobody in it. One walk serves all waits that are looked at in a tick, visits each transaction
/// once, and does not recurse, because queues may be long. On the engine's turn.
/// </summary>
internal sealed class WaitProgress
{
    private readonly Stack<LocalTransaction> _path = new();
    private long _mark;

    /// <summary>Forgets what the last walk has found out: waits have begun or ended since.</summary>
    public void Begin() => _mark += 2;

    /// <summary>
    /// The latest time at which a wait of the transaction, or of one that it waits for, has begun or ended here.
    /// </summary>
    /// <returns>On the host's clock, in microseconds; 0 if none ever has.</returns>
    public long Of(LocalTransaction from)
    {
        if (from.Edges is not { } start) return 0;
        _path.Push(from);
        while (_path.TryPeek(out var at))
        {
            var node = at.Edges!;
            if (node.ProgressMark < _mark)
            {
                // First those that it waits for. What is open already is on a cycle, and adds nothing to it.
                node.ProgressMark = _mark;
                foreach (var wait in node.Waits)
                {
                    if (wait.Target.Edges!.ProgressMark < _mark) _path.Push(wait.Target);
                }

                continue;
            }

            _path.Pop();
            if (node.ProgressMark > _mark) continue;
            node.ProgressMark = _mark + 1;
            node.ProgressAt = node.ChangedAt;
            foreach (var wait in node.Waits)
            {
                var next = wait.Target.Edges!;
                node.ProgressAt = Math.Max(
                    node.ProgressAt, next.ProgressMark > _mark ? next.ProgressAt : next.ChangedAt);
            }
        }

        return start.ProgressAt;
    }
}
