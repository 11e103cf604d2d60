namespace Polyjuice.Isolation;

/// <summary>
/// Dependencies at a list. Its version order is what the longest read saw. What a transaction that took effect appended
/// and nobody saw comes after all of it, because every read is a prefix of the final list; in which order among
/// themselves is not known.
/// </summary>
internal static class ListEdges
{
    public static void Add(KeyTable table, KeyData key, GraphBuilder graph, AnomalyLog log)
    {
        var writers = new int[key.Order.Length];
        for (var i = 0; i < writers.Length; i++) writers[i] = table.EffectiveWriter(key, key.Order[i]);
        var last = AddWrites(writers, key, graph);
        CheckDirtyUpdates(table, key, writers, log);
        CheckOwnOrder(table, key, log);
        var unseen = new SortedSet<int>();
        foreach (var (element, written) in key.Writers)
        {
            if (!key.Positions.ContainsKey(element) && table.TookEffect(written.Transaction))
                unseen.Add(written.Transaction);
        }

        if (last >= 0) graph.AddPairs([last], unseen, EdgeKind.Ww, key.Id);
        var latest = new SortedSet<int>();
        foreach (var read in key.Reads)
        {
            if (AddRead(read, key, writers, graph)) latest.Add(read.Transaction);
        }

        graph.AddPairs(latest, unseen, EdgeKind.Rw, key.Id);
    }

    /// <summary>Returns who wrote last, or -1.</summary>
    private static int AddWrites(int[] writers, KeyData key, GraphBuilder graph)
    {
        var last = -1;
        foreach (var writer in writers)
        {
            // What an aborted transaction wrote, or nobody, is passed over: the order of those around it stands.
            if (writer < 0) continue;
            if (last >= 0) graph.Add(last, writer, EdgeKind.Ww, key.Id);
            last = writer;
        }

        return last;
    }

    /// <summary>Returns whether nothing that was seen comes after what was read.</summary>
    private static bool AddRead(ReadAt read, KeyData key, int[] writers, GraphBuilder graph)
    {
        var list = ListReads.Elements(read.Op);

        // A read that fits no order still says of its last known element that it was there.
        var end = list.Count;
        while (end > 0 && !key.Positions.ContainsKey(list[end - 1])) end--;
        var next = end == 0 ? 0 : key.Positions[list[end - 1]] + 1;
        for (var i = next - 1; i >= 0; i--)
        {
            if (writers[i] < 0 || writers[i] == read.Transaction) continue;
            graph.Add(writers[i], read.Transaction, EdgeKind.Wr, key.Id);
            break;
        }

        for (var i = next; i < writers.Length; i++)
        {
            if (writers[i] < 0) continue;
            graph.Add(read.Transaction, writers[i], EdgeKind.Rw, key.Id);
            return false;
        }

        return true;
    }

    /// <summary>
    /// A transaction's own appends are in the order of its steps; those that nobody saw are the last.
    /// </summary>
    private static void CheckOwnOrder(KeyTable table, KeyData key, AnomalyLog log)
    {
        for (var i = 1; i < key.Writes.Count; i++)
        {
            var ((writer, first), (second, then)) = (key.Writes[i - 1], key.Writes[i]);
            if (writer != second || !key.Positions.TryGetValue(then, out var position) || !table.TookEffect(writer))
                continue;
            if (key.Positions.TryGetValue(first, out var before) && before < position) continue;
            log.Add(
                AnomalyKind.IncompatibleOrder,
                () =>
                    $"T{writer} appended {first} to {key} before {then}, and the longest list known, "
                    + $"[{string.Join(' ', key.Order)}], has {then} without {first} before it.",
                writer);
        }
    }

    private static void CheckDirtyUpdates(KeyTable table, KeyData key, int[] writers, AnomalyLog log)
    {
        for (var i = 1; i < writers.Length; i++)
        {
            if (writers[i] < 0 || writers[i - 1] >= 0 || !key.Writers.TryGetValue(key.Order[i - 1], out var before))
                continue;
            if (table.Transactions[before.Transaction].Outcome != TransactionOutcome.Aborted) continue;
            var (dirty, clean) = (key.Order[i - 1], key.Order[i]);
            var writer = writers[i];
            log.Add(
                AnomalyKind.DirtyUpdate,
                () =>
                    $"T{writer} appended {clean} to {key} after {dirty}, which was appended by T{before.Transaction}, "
                    + "which aborted.",
                before.Transaction,
                writer);
        }
    }
}
