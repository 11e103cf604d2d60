namespace Polyjuice.Isolation;

/// <summary>Anomalies of single reads: what nobody wrote, aborted, intermediate, doubled or out of order.</summary>
internal static class ReadChecks
{
    public static void Run(KeyTable table, KeyData key, AnomalyLog log)
    {
        if (!key.IsList)
        {
            foreach (var read in key.Reads)
            {
                if (table.IsInitial(key, read.Op.Value)) continue;
                CheckElement(table, key, read, read.Op.Value!.Value, log);
                CheckLast(key, read, read.Op.Value!.Value, log);
            }

            return;
        }

        // How many elements before a place nobody may see: reads that
        // are prefixes, nearly all, need no look at each element.
        var badBefore = new int[key.Order.Length + 1];
        for (var i = 0; i < key.Order.Length; i++)
            badBefore[i + 1] = badBefore[i] + (IsBad(table, key, key.Order[i]) ? 1 : 0);
        foreach (var read in key.Reads)
        {
            var list = ListReads.Elements(read.Op);
            if (list.Count == 0) continue;
            var isPrefix = ListReads.IsPrefix(list, key.Order);
            if (!isPrefix) CheckOrder(key, read, list, log);
            if (!isPrefix || badBefore[list.Count] > 0)
            {
                var told = new HashSet<long>();
                foreach (var element in list)
                {
                    if (told.Add(element)) CheckElement(table, key, read, element, log);
                }
            }

            CheckLast(key, read, list[^1], log);
        }
    }

    private static bool IsBad(KeyTable table, KeyData key, long value) =>
        !key.Writers.TryGetValue(value, out var written)
            || table.Transactions[written.Transaction].Outcome == TransactionOutcome.Aborted;

    private static void CheckElement(KeyTable table, KeyData key, ReadAt read, long value, AnomalyLog log)
    {
        if (!key.Writers.TryGetValue(value, out var written))
            log.Add(
                AnomalyKind.GarbageRead,
                () => $"{Read(key, read)}, and no transaction wrote {value} there.",
                read.Transaction);
        else if (table.Transactions[written.Transaction].Outcome == TransactionOutcome.Aborted)
            log.Add(
                AnomalyKind.G1a,
                () => $"{Read(key, read)}, and {value} was written by T{written.Transaction}, which aborted.",
                read.Transaction,
                written.Transaction);
    }

    private static void CheckLast(KeyData key, ReadAt read, long value, AnomalyLog log)
    {
        if (!key.Writers.TryGetValue(value, out var written) || written.IsFinal
            || written.Transaction == read.Transaction)
            return;
        log.Add(
            AnomalyKind.G1b,
            () => $"{Read(key, read)}, and T{written.Transaction} wrote more to it after {value}.",
            read.Transaction,
            written.Transaction);
    }

    private static void CheckOrder(KeyData key, ReadAt read, IReadOnlyList<long> list, AnomalyLog log)
    {
        if (list.Distinct().Count() != list.Count)
        {
            var twice = list.GroupBy(e => e).First(g => g.Count() > 1).Key;
            log.Add(
                AnomalyKind.DuplicateElements,
                () => $"{Read(key, read)}, where {twice} is more than once.",
                read.Transaction);
            if (ListReads.IsPrefix([.. list.Distinct()], key.Order)) return;
        }

        log.Add(
            AnomalyKind.IncompatibleOrder,
            () => $"{Read(key, read)}, which is not a prefix of {Longest(key)}.",
            read.Transaction);
    }

    private static string Read(KeyData key, ReadAt read) =>
        $"T{read.Transaction} read {Reasons.Result(read.Op)} from {key}";

    private static string Longest(KeyData key) => $"the longest list known, [{string.Join(' ', key.Order)}]";
}
