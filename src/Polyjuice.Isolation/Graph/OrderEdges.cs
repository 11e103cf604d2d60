namespace Polyjuice.Isolation;

/// <summary>Edges that come from when transactions ran, not from what they read and wrote.</summary>
internal static class OrderEdges
{
    /// <summary>
    /// A process's transactions in order. What was never told precedes nothing: it may take effect later.
    /// </summary>
    public static void AddProcesses(KeyTable table, GraphBuilder graph)
    {
        var last = new Dictionary<int, int>();
        foreach (var transaction in table.Transactions)
        {
            if (!table.TookEffect(transaction.Number)) continue;
            if (last.TryGetValue(transaction.Process, out var before))
                graph.Add(before, transaction.Number, EdgeKind.Process);
            if (transaction.Outcome == TransactionOutcome.Committed) last[transaction.Process] = transaction.Number;
        }
    }

    /// <summary>
    /// Who was told before another was invoked: through a chain of moments,
    /// so that there are at most three edges for each transaction.
    /// </summary>
    public static void AddRealTime(KeyTable table, GraphBuilder graph)
    {
        var events = new List<(long Index, int Transaction, bool IsEnd)>();
        foreach (var transaction in table.Transactions)
        {
            if (!table.TookEffect(transaction.Number)) continue;
            events.Add((transaction.InvokeIndex, transaction.Number, false));
            if (transaction is { Outcome: TransactionOutcome.Committed, CompleteIndex: { } end })
                events.Add((end, transaction.Number, true));
        }

        events.Sort((a, b) => a.Index.CompareTo(b.Index));
        var moment = -1;
        var isUsed = true;
        foreach (var (_, transaction, isEnd) in events)
        {
            if (!isEnd)
            {
                if (moment >= 0) graph.Add(moment, transaction, EdgeKind.Thread);
                isUsed = true;
                continue;
            }

            if (isUsed)
            {
                var next = graph.AddHelper();
                if (moment >= 0) graph.Add(moment, next, EdgeKind.Thread);
                moment = next;
                isUsed = false;
            }

            graph.Add(transaction, moment, EdgeKind.RealTime);
        }
    }
}
