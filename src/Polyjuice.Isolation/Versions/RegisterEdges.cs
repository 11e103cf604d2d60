namespace Polyjuice.Isolation;

/// <summary>Dependencies at a register, from what is known of its version order.</summary>
internal static class RegisterEdges
{
    public static void Add(
        KeyTable table, KeyData key, IReadOnlyList<Transaction> accessors, GraphBuilder graph, AnomalyLog log)
    {
        var versions = new RegisterVersions(table, key, accessors);
        if (versions.Cycle is { } cycle)
        {
            var names = string.Join(", ", cycle.Select(v => versions.Values[v]?.ToString() ?? "the initial state"));
            log.Add(
                AnomalyKind.CyclicVersions,
                () => $"of {key}: each of these comes before every other: {names}.",
                Writers(table, key, versions, cycle));
        }

        var readers = new Dictionary<int, SortedSet<int>>();
        foreach (var read in key.Reads)
        {
            var version = versions.Id(read.Op.Value);
            if (!readers.TryGetValue(version, out var set)) readers.Add(version, set = []);
            set.Add(read.Transaction);
            var writer = version == 0 ? -1 : table.EffectiveWriter(key, versions.Values[version]!.Value);
            if (writer >= 0) graph.Add(writer, read.Transaction, EdgeKind.Wr, key.Id);
        }

        foreach (var next in versions.Order.GroupBy(o => o.From, o => o.To))
        {
            var (from, fromValue) = (next.Key, versions.Values[next.Key]);
            var overwriters = new SortedSet<int>();
            foreach (var to in next)
            {
                var writer = table.EffectiveWriter(key, versions.Values[to]!.Value);
                if (writer < 0) continue;
                overwriters.Add(writer);
                if (fromValue is { } dirty) CheckDirtyUpdate(table, key, dirty, writer, log);
            }

            var before = fromValue is { } value ? table.EffectiveWriter(key, value) : -1;
            if (before >= 0) graph.AddPairs([before], overwriters, EdgeKind.Ww, key.Id);
            if (readers.TryGetValue(from, out var readBy)) graph.AddPairs(readBy, overwriters, EdgeKind.Rw, key.Id);
        }
    }

    private static void CheckDirtyUpdate(KeyTable table, KeyData key, long dirty, int writer, AnomalyLog log)
    {
        if (!key.Writers.TryGetValue(dirty, out var before)
            || table.Transactions[before.Transaction].Outcome != TransactionOutcome.Aborted)
            return;
        log.Add(
            AnomalyKind.DirtyUpdate,
            () => $"T{writer} overwrote {dirty} in {key}, which was written by T{before.Transaction}, which aborted.",
            before.Transaction,
            writer);
    }

    private static int[] Writers(KeyTable table, KeyData key, RegisterVersions versions, IReadOnlyList<int> cycle) =>
        [
            .. cycle.Select(v => versions.Values[v] is { } value ? table.EffectiveWriter(key, value) : -1)
            .Where(w => w >= 0).Distinct()
        ];
}
