using System.Collections.Concurrent;
using Orleans.Transactions;
using Polyjuice.Isolation;

namespace Polyjuice.Testing;

/// <summary>
/// Tells a recorder of the transactions of Orleans' own engine, which runs each once. Thread-safe.
/// </summary>
internal sealed class RecordedAgent(ITransactionAgent inner, HistoryRecorder recorder) : ITransactionAgent
{
    private readonly ConcurrentDictionary<Guid, RecordedTransaction> _running = new();

    /// <inheritdoc/>
    public async Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        var transaction = recorder.Begin();
        var info = await inner.StartTransaction(readOnly, timeout);
        transaction.RunBegins(info.TransactionId);
        _running.TryAdd(info.TransactionId, transaction);
        return info;
    }

    /// <inheritdoc/>
    public async Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo)
    {
        ArgumentNullException.ThrowIfNull(transactionInfo);
        var outcome = TransactionOutcome.Unknown;
        try
        {
            var (status, exception) = await inner.Resolve(transactionInfo);
            if (status == TransactionalStatus.Ok) outcome = TransactionOutcome.Committed;
            else if (status.DefinitelyAborted()) outcome = TransactionOutcome.Aborted;
            return (status, exception);
        }
        finally
        {
            Ended(transactionInfo, outcome);
        }
    }

    /// <inheritdoc/>
    public async Task Abort(TransactionInfo transactionInfo)
    {
        ArgumentNullException.ThrowIfNull(transactionInfo);
        try
        {
            await inner.Abort(transactionInfo);
        }
        finally
        {
            Ended(transactionInfo, TransactionOutcome.Aborted);
        }
    }

    private void Ended(TransactionInfo info, TransactionOutcome outcome)
    {
        if (_running.TryRemove(info.TransactionId, out var transaction)) transaction.Ended(outcome);
    }
}
