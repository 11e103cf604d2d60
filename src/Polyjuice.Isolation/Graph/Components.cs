namespace Polyjuice.Isolation;

/// <summary>Strongly connected components, by Tarjan's algorithm (1972) with its stack on the heap.</summary>
internal static class Components
{
    /// <summary>
    /// The components with more than one node, each in the order of node numbers, smallest node first.
    /// </summary>
    public static List<int[]> Of(CompactGraph graph, int mask, CancellationToken cancellation = default)
    {
        var n = graph.Nodes;
        var (order, low, next) = (new int[n], new int[n], new int[n]);
        var isOpen = new bool[n];
        var (path, open) = (new Stack<int>(), new Stack<int>());
        var found = new List<int[]>();
        var clock = 0;
        for (var root = 0; root < n; root++)
        {
            if (order[root] != 0) continue;
            cancellation.ThrowIfCancellationRequested();
            Enter(root);
            while (path.TryPeek(out var node))
            {
                if (next[node] < graph.Start[node + 1])
                {
                    var edge = next[node]++;
                    if (!graph.Has(edge, mask)) continue;
                    var target = graph.Target[edge];
                    if (order[target] == 0) Enter(target);
                    else if (isOpen[target]) low[node] = Math.Min(low[node], order[target]);
                    continue;
                }

                path.Pop();
                if (path.TryPeek(out var parent)) low[parent] = Math.Min(low[parent], low[node]);
                if (low[node] == order[node]) Close(node);
            }
        }

        found.Sort((a, b) => a[0].CompareTo(b[0]));
        return found;

        void Enter(int node)
        {
            order[node] = low[node] = ++clock;
            next[node] = graph.Start[node];
            isOpen[node] = true;
            path.Push(node);
            open.Push(node);
        }

        void Close(int node)
        {
            var members = open.Peek() == node ? null : new List<int>();
            int member;
            do
            {
                member = open.Pop();
                isOpen[member] = false;
                members?.Add(member);
            }
            while (member != node);
            if (members is null) return;
            members.Sort();
            found.Add([.. members]);
        }
    }
}
