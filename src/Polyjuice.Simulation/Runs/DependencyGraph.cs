using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Simulation.Runs;

/// <summary>A serialization graph: who must come before whom, and why. Finds a shortest cycle.</summary>
internal sealed class DependencyGraph
{
    private readonly Dictionary<int, int> _indexes = [];
    private readonly List<string> _names = [];
    private readonly List<Dictionary<int, string>> _edges = [];

    public int Node(int id, string name)
    {
        if (_indexes.TryGetValue(id, out var index)) return index;
        index = _names.Count;
        _indexes.Add(id, index);
        _names.Add(name);
        _edges.Add([]);
        return index;
    }

    /// <summary>A node that stands for a moment: it keeps real-time edges linear in number.</summary>
    public int Moment(string name)
    {
        _names.Add(name);
        _edges.Add([]);
        return _names.Count - 1;
    }

    public void Edge(int from, int to, string why)
    {
        if (from != to) _edges[from].TryAdd(to, why);
    }

    /// <summary>A shortest cycle in words, or <see langword="null"/>.</summary>
    public string? FindCycle()
    {
        var suspects = Cyclic();
        List<int>? best = null;
        foreach (var start in suspects)
        {
            var cycle = ShortestCycleFrom(start, suspects);
            if (cycle is not null && (best is null || cycle.Count < best.Count)) best = cycle;
        }

        if (best is null) return null;
        var words = best.Select((node, i) => $"{_names[node]} -{_edges[node][best[(i + 1) % best.Count]]}→ ");
        return string.Concat(words) + _names[best[0]];
    }

    /// <summary>
    /// What is left after everything that is on no cycle's downstream has been taken away, front to back.
    /// </summary>
    private HashSet<int> Cyclic()
    {
        var incoming = new int[_names.Count];
        foreach (var edges in _edges)
        {
            foreach (var to in edges.Keys) incoming[to]++;
        }

        var ready = new Queue<int>(Enumerable.Range(0, incoming.Length).Where(i => incoming[i] == 0));
        var left = Enumerable.Range(0, incoming.Length).ToHashSet();
        while (ready.TryDequeue(out var node))
        {
            left.Remove(node);
            foreach (var to in _edges[node].Keys)
            {
                if (--incoming[to] == 0) ready.Enqueue(to);
            }
        }

        return left;
    }

    private List<int>? ShortestCycleFrom(int start, HashSet<int> within)
    {
        var previous = new Dictionary<int, int>();
        var queue = new Queue<int>([start]);
        while (queue.TryDequeue(out var node))
        {
            foreach (var to in _edges[node].Keys)
            {
                if (to == start)
                {
                    var cycle = new List<int>();
                    for (var at = node; at != start; at = previous[at]) cycle.Add(at);
                    cycle.Add(start);
                    cycle.Reverse();
                    return cycle;
                }

                if (within.Contains(to) && to != start && previous.TryAdd(to, node)) queue.Enqueue(to);
            }
        }

        return null;
    }
}
