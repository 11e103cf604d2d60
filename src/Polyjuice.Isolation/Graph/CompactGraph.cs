namespace Polyjuice.Isolation;

/// <summary>A graph in arrays: the edges of node n are at <c>Start[n]</c> up to <c>Start[n + 1]</c>.</summary>
internal sealed class CompactGraph(int[] start, int[] source, int[] target, int[] label)
{
    public int Nodes => Start.Length - 1;

    public int[] Start { get; } = start;

    public int[] Source { get; } = source;

    public int[] Target { get; } = target;

    private int[] Label { get; } = label;

    public static CompactGraph Of(int nodes, List<int> from, List<int> to, List<int> label)
    {
        var start = new int[nodes + 1];
        foreach (var node in from) start[node + 1]++;
        for (var i = 0; i < nodes; i++) start[i + 1] += start[i];
        var next = start[..nodes];
        var (source, target, labels) = (new int[from.Count], new int[from.Count], new int[from.Count]);
        for (var i = 0; i < from.Count; i++)
        {
            var at = next[from[i]]++;
            source[at] = from[i];
            target[at] = to[i];
            labels[at] = label[i];
        }

        return new CompactGraph(start, source, target, labels);
    }

    public int Kind(int edge) => Label[edge] & 7;

    public int Key(int edge) => Label[edge] >> 3;

    public bool Has(int edge, int mask) => (mask >> Kind(edge) & 1) != 0;

    /// <summary>The subgraph of some nodes, which get new numbers in their order.</summary>
    public CompactGraph Part(IReadOnlyList<int> nodes, int mask)
    {
        var number = new Dictionary<int, int>(nodes.Count);
        foreach (var node in nodes) number.Add(node, number.Count);
        var (from, to, label) = (new List<int>(), new List<int>(), new List<int>());
        foreach (var node in nodes)
        {
            for (var e = Start[node]; e < Start[node + 1]; e++)
            {
                if (!Has(e, mask) || !number.TryGetValue(Target[e], out var target)) continue;
                from.Add(number[node]);
                to.Add(target);
                label.Add(Label[e]);
            }
        }

        return Of(nodes.Count, from, to, label);
    }

    /// <summary>
    /// Every node twice, 2n and 2n + 1: the second is n right after an anti-dependency, from where there is no other. A
    /// cycle here is one without two anti-dependencies in succession.
    /// </summary>
    public CompactGraph WithoutAdjacentAntiDependencies()
    {
        var (from, to, label) = (new List<int>(), new List<int>(), new List<int>());
        for (var node = 0; node < Nodes; node++)
        {
            for (var e = Start[node]; e < Start[node + 1]; e++)
            {
                for (var side = 0; side < 2; side++)
                {
                    if (Kind(e) == EdgeKind.Rw && side == 1) continue;
                    from.Add(2 * node + side);
                    to.Add(2 * Target[e] + (Kind(e) == EdgeKind.Rw ? 1 : Kind(e) == EdgeKind.Thread ? side : 0));
                    label.Add(Label[e]);
                }
            }
        }

        return Of(2 * Nodes, from, to, label);
    }
}
