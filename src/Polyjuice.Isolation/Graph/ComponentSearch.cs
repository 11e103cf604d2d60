namespace Polyjuice.Isolation;

/// <summary>Finds the cycles of each class in one strongly connected component.</summary>
internal sealed class ComponentSearch(CompactGraph graph, int mask, CancellationToken cancellation)
{
    private const int Ww = 1 << EdgeKind.Ww;
    private const int Wr = 1 << EdgeKind.Wr;
    private const int Rw = 1 << EdgeKind.Rw;

    private readonly ShortestCycle _shortest = new(graph);

    public delegate void Found(AnomalyKind kind, IReadOnlyList<(int From, int To, DependencyKind Kind, int Key)> edges);

    public void Run(Found found)
    {
        foreach (var cycle in Through(Ww, mask & ~(Wr | Rw)))
            found(AnomalyKind.G0, Collapse(graph, cycle, node => node));
        foreach (var cycle in Through(Wr, mask & ~Rw)) found(AnomalyKind.G1c, Collapse(graph, cycle, node => node));
        if (FindNonadjacent(found)) return;
        if (_shortest.Find(Rw, mask, Region.All(graph), cancellation) is { } other)
            found(AnomalyKind.G2Item, Collapse(graph, other, node => node));
    }

    /// <summary>For each component of the edges in a mask: its shortest cycle through an edge of a kind.</summary>
    private IEnumerable<List<int>> Through(int first, int all)
    {
        foreach (var region in Region.Of(graph, all, cancellation))
        {
            if (_shortest.Find(first, all, region, cancellation) is { } cycle) yield return cycle;
        }
    }

    private bool FindNonadjacent(Found found)
    {
        var hasFound = false;
        var twice = graph.WithoutAdjacentAntiDependencies();
        var inTwice = new ShortestCycle(twice);
        foreach (var region in Region.Of(twice, mask, cancellation))
        {
            if (!region.Edges(twice, Rw).Any()) continue;

            // One anti-dependency if possible. A node's two halves are one here.
            if (_shortest.Find(Rw, mask & ~Rw, region.Halved(), cancellation) is { } single)
            {
                found(AnomalyKind.GSingle, Collapse(graph, single, node => node));
                hasFound = true;
                continue;
            }

            if (inTwice.Find(Rw, mask, region, cancellation) is not { } walk) continue;
            var cycle = ClosedWalk.Simplify(Collapse(twice, walk, node => node / 2));
            var count = cycle.Count(e => e.Kind == DependencyKind.ReadWrite);
            if (count == 0) continue;
            found(count == 1 ? AnomalyKind.GSingle : AnomalyKind.GNonadjacent, cycle);
            hasFound = true;
        }

        return hasFound;
    }

    /// <summary>
    /// Edges between transactions only: what leads through helpers is one edge of the kind that leads into the first.
    /// </summary>
    private static List<(int From, int To, DependencyKind Kind, int Key)> Collapse(
        CompactGraph within, List<int> cycle, Func<int, int> node)
    {
        // It starts at a real edge, which a transaction is the source of.
        var edges = new List<(int From, int To, DependencyKind Kind, int Key)>();
        foreach (var e in cycle)
        {
            if (within.Kind(e) == EdgeKind.Thread) edges[^1] = edges[^1] with { To = node(within.Target[e]) };
            else
                edges.Add(
                    (node(within.Source[e]), node(within.Target[e]), (DependencyKind)within.Kind(e), within.Key(e)));
        }

        return edges;
    }
}
