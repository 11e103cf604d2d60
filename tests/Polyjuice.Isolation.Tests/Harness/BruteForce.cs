namespace Polyjuice.Isolation.Tests.Harness;

/// <summary>Tries every serial order: slow, and too simple to be wrong in the way that a checker is.</summary>
internal sealed class BruteForce(History history, bool realTime)
{
    private readonly Dictionary<HistoryKey, List<long>> _state = [];
    private readonly bool[] _isDone = new bool[history.Transactions.Count];

    /// <summary>
    /// Whether all committed transactions, and any of those of unknown outcome,
    /// can be executed one after the other with the results that were told.
    /// </summary>
    public static bool IsSerializable(History history, bool realTime) => new BruteForce(history, realTime).Search();

    private bool Search()
    {
        if (history.Transactions.All(t => _isDone[t.Number] || t.Outcome != TransactionOutcome.Committed)) return true;
        foreach (var transaction in history.Transactions)
        {
            if (_isDone[transaction.Number] || transaction.Outcome == TransactionOutcome.Aborted
                || (realTime && !IsNext(transaction)))
                continue;
            var written = new List<HistoryKey>();
            if (Execute(transaction, written))
            {
                _isDone[transaction.Number] = true;
                if (Search()) return true;
                _isDone[transaction.Number] = false;
            }

            foreach (var key in written) _state[key].RemoveAt(_state[key].Count - 1);
        }

        return false;
    }

    /// <summary>Everyone who was told before it began is done.</summary>
    private bool IsNext(Transaction transaction) => history.Transactions.All(other =>
        _isDone[other.Number] || other.Outcome != TransactionOutcome.Committed
            || other.CompleteIndex > transaction.InvokeIndex);

    private bool Execute(Transaction transaction, List<HistoryKey> written)
    {
        foreach (var op in transaction.MicroOps)
        {
            if (!_state.TryGetValue(op.Key, out var values)) _state.Add(op.Key, values = []);
            if (op.Kind != MicroOpKind.Read)
            {
                values.Add(op.Value!.Value);
                written.Add(op.Key);
            }
            else if (transaction.Outcome == TransactionOutcome.Committed)
            {
                var isRight = op.List is { } list
                    ? list.SequenceEqual(values)
                    : op.Value == (values.Count == 0 ? null : values[^1]);
                if (!isRight) return false;
            }
        }

        return true;
    }
}
