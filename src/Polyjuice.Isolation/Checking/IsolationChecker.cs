namespace Polyjuice.Isolation;

/// <summary>
/// Judges histories of list-append and register transactions. Thread-safe: nothing is kept between calls.
/// </summary>
/// <remarks>
/// What is inferred is certain, so an anomaly found is one (with <see cref="CheckOptions.LinearizableKeys"/>: or the
/// assumption is wrong). The other way round, a history without anomalies may still hide one where version orders are
/// not known: blind writes of registers, appends that nobody read.
/// </remarks>
public static class IsolationChecker
{
    /// <summary>Finds the anomalies of a history.</summary>
    /// <param name="history">What clients saw. Each key is used either as a list or as a register.</param>
    /// <param name="options">How to judge; null for strict serializability.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="HistoryException">A key is used both as a list and as a register.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static IsolationReport Check(
        History history, CheckOptions? options = null, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(history);
        options ??= new CheckOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.ExamplesMax, 1, nameof(options));
        var table = new KeyTable(history, options);
        var log = new AnomalyLog(table);
        var within = new TransactionChecks(table, log);
        foreach (var transaction in history.Transactions) within.Run(transaction);
        cancellation.ThrowIfCancellationRequested();

        var graph = new GraphBuilder(history.Transactions.Count);
        foreach (var key in table.Keys)
        {
            cancellation.ThrowIfCancellationRequested();
            ReadChecks.Run(table, key, log);
            if (key.IsList) ListEdges.Add(table, key, graph, log);
            else RegisterEdges.Add(table, key, table.Accessors(key), graph, log);
        }

        if (options.Model >= ConsistencyModel.StrongSessionSerializable) OrderEdges.AddProcesses(table, graph);
        if (options.Model >= ConsistencyModel.StrictSerializable) OrderEdges.AddRealTime(table, graph);
        new CycleSearch(table, graph.Build(), log, cancellation).Run();
        return new IsolationReport(options.Model, log.Anomalies, log.Counts, Size(history, graph.Edges));
    }

    private static HistorySize Size(History history, int edges)
    {
        var byOutcome = history.Transactions.CountBy(t => t.Outcome).ToDictionary();
        int Of(TransactionOutcome outcome) => byOutcome.GetValueOrDefault(outcome);
        return new HistorySize(
            Of(TransactionOutcome.Committed), Of(TransactionOutcome.Aborted), Of(TransactionOutcome.Unknown), edges);
    }
}
