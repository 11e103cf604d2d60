namespace Polyjuice.Isolation.Tests.Graph;

public class ComponentsTests
{
    [Fact]
    public void Components_are_the_nodes_that_reach_each_other()
    {
        var random = new Random(5);
        for (var run = 0; run < 300; run++)
        {
            var n = random.Next(2, 9);
            var graph = new GraphBuilder(n);
            var reaches = new bool[n, n];
            for (var i = random.Next(2 * n); i > 0; i--)
            {
                var (from, to, kind) = (random.Next(n), random.Next(n), random.Next(2));
                graph.Add(from, to, kind);
                if (kind == 0) reaches[from, to] = true;
            }

            for (var via = 0; via < n; via++)
            {
                for (var from = 0; from < n; from++)
                {
                    for (var to = 0; to < n; to++) reaches[from, to] |= reaches[from, via] && reaches[via, to];
                }
            }

            var expected = Enumerable.Range(0, n)
                .Select(a => Enumerable.Range(0, n).Where(b => a == b || (reaches[a, b] && reaches[b, a])).ToArray())
                .Where(c => c.Length > 1)
                .DistinctBy(c => c[0]);
            Assert.Equal(expected, Components.Of(graph.Build(), 1));
        }
    }

    [Fact]
    public void Pairs_through_helpers_reach_as_pairs_do()
    {
        var random = new Random(6);
        for (var run = 0; run < 100; run++)
        {
            const int n = 30;
            int[] sources = [.. Enumerable.Range(0, n).Where(_ => random.Next(2) == 0)];
            int[] targets = [.. Enumerable.Range(0, n).Where(_ => random.Next(2) == 0)];
            var builder = new GraphBuilder(n);
            builder.AddPairs(sources, targets, EdgeKind.Rw, 0);
            var graph = builder.Build();
            for (var from = 0; from < n; from++)
            {
                // One step, and then only helpers: a second edge from a transaction would be another dependency.
                var reached = new HashSet<int>();
                var open = new Stack<int>([from]);
                while (open.TryPop(out var node))
                {
                    if (node != from && node < n) continue;
                    for (var e = graph.Start[node]; e < graph.Start[node + 1]; e++)
                    {
                        if (reached.Add(graph.Target[e])) open.Push(graph.Target[e]);
                    }
                }

                var expected = sources.Contains(from) ? targets.Where(t => t != from) : [];
                Assert.Equal(expected.Order(), reached.Where(r => r < n).Order());
            }
        }
    }
}
