namespace Polyjuice.Isolation;

/// <summary>
/// Collects edges between transactions. Where every one of a group precedes every one of another, helper nodes between
/// them keep the number of edges linear; a path through helpers counts as one edge of the kind that leads into the
/// first.
/// </summary>
internal sealed class GraphBuilder(int transactions)
{
    private const int DirectPairsMax = 64;
    private readonly List<int> _from = [];
    private readonly List<int> _to = [];
    private readonly List<int> _label = [];

    public int Nodes { get; private set; } = transactions;

    public int Edges => _from.Count;

    public int AddHelper() => Nodes++;

    public void Add(int from, int to, int kind, int key = 0)
    {
        if (from == to) return;
        _from.Add(from);
        _to.Add(to);
        _label.Add(kind | (key << 3));
    }

    /// <summary>
    /// An edge from each of <paramref name="sources"/> to each of <paramref name="targets"/> but itself.
    /// </summary>
    public void AddPairs(IReadOnlyCollection<int> sources, IReadOnlyCollection<int> targets, int kind, int key)
    {
        if (sources.Count == 0 || targets.Count == 0) return;
        if (sources.Count == 1 || targets.Count == 1 || (long)sources.Count * targets.Count <= DirectPairsMax)
        {
            foreach (var source in sources)
            {
                foreach (var target in targets) Add(source, target, kind, key);
            }

            return;
        }

        // Two chains in the order of node numbers: one carries the sources below
        // a node to it, the other those above. So no node precedes itself.
        var isTarget = new SortedDictionary<int, (bool Source, bool Target)>();
        foreach (var source in sources) isTarget[source] = (true, false);
        foreach (var target in targets)
            isTarget[target] = (isTarget.TryGetValue(target, out var known) && known.Source, true);
        Chain(isTarget, kind, key);
        Chain(isTarget.Reverse(), kind, key);
    }

    public CompactGraph Build() => CompactGraph.Of(Nodes, _from, _to, _label);

    private void Chain(IEnumerable<KeyValuePair<int, (bool Source, bool Target)>> nodes, int kind, int key)
    {
        var last = -1;
        foreach (var (node, (isSource, isTarget)) in nodes)
        {
            if (isTarget && last >= 0) Add(last, node, EdgeKind.Thread, key);
            if (!isSource) continue;
            var helper = AddHelper();
            if (last >= 0) Add(last, helper, EdgeKind.Thread, key);
            Add(node, helper, kind, key);
            last = helper;
        }
    }
}
