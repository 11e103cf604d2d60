namespace Polyjuice.Isolation;

/// <summary>Some nodes of a graph.</summary>
/// <param name="Nodes">Which.</param>
/// <param name="Contains">Whether a node is one of them.</param>
internal sealed record Region(IReadOnlyList<int> Nodes, Func<int, bool> Contains)
{
    /// <summary>The whole graph.</summary>
    public static Region All(CompactGraph graph) => new([.. Enumerable.Range(0, graph.Nodes)], _ => true);

    /// <summary>Each strongly connected component of the edges in a mask.</summary>
    public static IEnumerable<Region> Of(CompactGraph graph, int mask, CancellationToken cancellation)
    {
        var component = new int[graph.Nodes];
        var number = 0;
        foreach (var nodes in Components.Of(graph, mask, cancellation))
        {
            number++;
            foreach (var node in nodes) component[node] = number;
            var mine = number;
            yield return new Region(nodes, node => component[node] == mine);
        }
    }

    /// <summary>
    /// The nodes of which this region of <see cref="CompactGraph.WithoutAdjacentAntiDependencies"/> has at least one
    /// half.
    /// </summary>
    public Region Halved() =>
        new([.. Nodes.Select(n => n / 2).Distinct()], node => Contains(2 * node) || Contains(2 * node + 1));

    /// <summary>The edges between nodes of the region.</summary>
    public IEnumerable<int> Edges(CompactGraph graph, int mask)
    {
        foreach (var node in Nodes)
        {
            for (var e = graph.Start[node]; e < graph.Start[node + 1]; e++)
            {
                if (graph.Has(e, mask) && Contains(graph.Target[e])) yield return e;
            }
        }
    }
}
