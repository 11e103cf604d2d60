namespace Polyjuice.Isolation;

/// <summary>
/// Names the cycles of a graph. First with data dependencies alone, then with processes too, then with real time too;
/// each later round looks only at strongly connected components in which the rounds before found nothing, so that what
/// it finds needs the edges it added.
/// </summary>
/// <remarks>
/// Whether there is a cycle of a class is decided exactly, by strongly connected components, and so is the verdict;
/// which one is shown is the shortest, within a bound on the work. In one component, of the classes that need
/// anti-dependencies only the one that breaks the weakest model is reported.
/// </remarks>
internal sealed class CycleSearch(KeyTable table, CompactGraph graph, AnomalyLog log, CancellationToken cancellation)
{
    private readonly Reasons _reasons = new(table);
    private readonly bool[] _isExplained = new bool[graph.Nodes];

    public void Run()
    {
        var data = EdgeKind.Mask(EdgeKind.Ww, EdgeKind.Wr, EdgeKind.Rw, EdgeKind.Thread);
        Round(data, 0);
        if (table.Options.Model >= ConsistencyModel.StrongSessionSerializable) Round(data | 1 << EdgeKind.Process, 1);
        if (table.Options.Model >= ConsistencyModel.StrictSerializable)
            Round(data | 1 << EdgeKind.Process | 1 << EdgeKind.RealTime, 2);
    }

    private void Round(int mask, int variant)
    {
        foreach (var component in Components.Of(graph, mask, cancellation))
        {
            if (Array.Exists(component, n => _isExplained[n])) continue;
            foreach (var node in component) _isExplained[node] = true;
            new ComponentSearch(
                graph.Part(component, mask), mask,
                cancellation).Run((kind, edges) => Report(kind + variant, component, edges));
        }
    }

    private void Report(
        AnomalyKind kind, int[] component, IReadOnlyList<(int From, int To, DependencyKind Kind, int Key)> edges) =>
        log.AddCycle(
            kind, () => [.. edges.Select(e => _reasons.Step(component[e.From], component[e.To], e.Kind, e.Key))]);
}
