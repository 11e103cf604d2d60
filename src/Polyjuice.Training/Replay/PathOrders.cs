using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Replay;

/// <summary>
/// Which calls of a transaction type run in parallel. A trace has accesses in the order in which they happened and says
/// that something ran in parallel, not what with what. Two calls that do come in either order, over all transactions of
/// the type; two that do not come in one order always. So pairs of paths count as parallel that were seen in both
/// orders.
/// </summary>
internal sealed class PathOrders
{
    /// <summary>The rarer order must be so much of both: less is chance, or a body that takes two ways.</summary>
    private const double RareShare = 0.02;

    private readonly Dictionary<(int Type, string First, string Second), int> _seen = [];

    /// <summary>Takes in the orders of one transaction's accesses.</summary>
    public void Add(AccessTrace trace, in TraceTransaction transaction)
    {
        var paths = new List<string>();
        foreach (var access in trace.AccessesOf(transaction))
        {
            if (!access.IsParallel) continue;
            var path = trace.Sites[access.Site].Key.Path;
            foreach (var earlier in paths)
            {
                if (earlier == path) continue;
                var key = (transaction.Type, earlier, path);
                _seen[key] = _seen.GetValueOrDefault(key) + 1;
            }

            if (!paths.Contains(path)) paths.Add(path);
        }
    }

    /// <summary>Whether calls by the two paths run in parallel, given that something does where they are.</summary>
    public bool AreParallel(int type, string first, string second)
    {
        if (first == second) return true;
        var ahead = _seen.GetValueOrDefault((type, first, second));
        var behind = _seen.GetValueOrDefault((type, second, first));
        return Math.Min(ahead, behind) > RareShare * (ahead + behind);
    }
}
