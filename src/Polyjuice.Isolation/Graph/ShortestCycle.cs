namespace Polyjuice.Isolation;

/// <summary>
/// Finds a cycle of fewest transactions through an edge of some kind, by a breadth-first search from each such edge;
/// helpers cost nothing. Big components get a bound on the work: then it is a short cycle, and the shortest only among
/// those looked at.
/// </summary>
internal sealed class ShortestCycle(CompactGraph graph)
{
    /// <summary>Edges looked at in all; after that, only <see cref="VisitsMin"/> for each call.</summary>
    private const long VisitsMax = 10_000_000;
    private const long VisitsMin = 10_000;
    private readonly int[] _distance = new int[graph.Nodes];
    private readonly int[] _via = new int[graph.Nodes];
    private readonly int[] _stamp = new int[graph.Nodes];
    private List<int> _level = [];
    private List<int> _nextLevel = [];
    private int _run;
    private long _visits;

    /// <summary>
    /// The edges of a cycle in order, the first of a kind in <paramref name="first"/> and all others in
    /// <paramref name="rest"/>; null if there is none.
    /// </summary>
    /// <param name="first">A mask of kinds.</param>
    /// <param name="rest">A mask of kinds.</param>
    /// <param name="region">Nodes that it may use.</param>
    /// <param name="cancellation">Stops the search.</param>
    public List<int>? Find(int first, int rest, Region region, CancellationToken cancellation)
    {
        List<int>? best = null;
        var bestLength = int.MaxValue;

        // Checked only between searches: the first one always runs to
        // its end, so that where there must be a cycle one is found.
        var visitsMax = Math.Max(VisitsMax, _visits + VisitsMin);
        foreach (var e in region.Edges(graph, first))
        {
            if (bestLength <= 2 || _visits >= visitsMax) break;
            cancellation.ThrowIfCancellationRequested();
            var back = Path(graph.Target[e], graph.Source[e], rest, region, bestLength - 1);
            if (back < 0) continue;
            bestLength = back + 1;
            best = Trace(e);
        }

        return best;
    }

    /// <summary>The length of the shortest path if it is below a bound, or -1.</summary>
    private int Path(int from, int to, int mask, Region region, int below)
    {
        _run++;
        _level.Clear();
        Reach(from, -1, 0, _level);
        for (var distance = 0; _level.Count > 0; distance++)
        {
            _nextLevel.Clear();
            for (var i = 0; i < _level.Count; i++)
            {
                var node = _level[i];
                if (node == to) return distance;
                if (_distance[node] < distance) continue;
                for (var e = graph.Start[node]; e < graph.Start[node + 1]; e++)
                {
                    _visits++;
                    var target = graph.Target[e];
                    if (!graph.Has(e, mask) || !region.Contains(target)) continue;
                    var isThread = graph.Kind(e) == EdgeKind.Thread;
                    var length = distance + (isThread ? 0 : 1);
                    if (length >= below || (_stamp[target] == _run && _distance[target] <= length)) continue;
                    Reach(target, e, length, isThread ? _level : _nextLevel);
                }
            }

            (_level, _nextLevel) = (_nextLevel, _level);
        }

        return -1;
    }

    private void Reach(int node, int via, int distance, List<int> level)
    {
        _stamp[node] = _run;
        _via[node] = via;
        _distance[node] = distance;
        level.Add(node);
    }

    private List<int> Trace(int first)
    {
        var edges = new List<int>();
        for (var e = _via[graph.Source[first]]; e >= 0; e = _via[graph.Source[e]]) edges.Add(e);
        edges.Add(first);
        edges.Reverse();
        return edges;
    }
}
