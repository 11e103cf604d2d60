using Orleans.Transactions;

namespace Polyjuice.Lab.Clusters;

/// <summary>Begins transactions that are none, and agrees to all of them. Thread-safe.</summary>
internal sealed class PlainAgent : ITransactionAgent
{
    private static readonly Task<(
        TransactionalStatus Status,
        Exception? exception)> s_agreed = Task.FromResult<(TransactionalStatus, Exception?)>(
        (TransactionalStatus.Ok, null));

    /// <inheritdoc/>
    public Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        var now = DateTime.UtcNow;
        return Task.FromResult(new TransactionInfo(Guid.NewGuid(), now, now, readOnly));
    }

    /// <inheritdoc/>
    public Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo) =>
        s_agreed;

    /// <inheritdoc/>
    public Task Abort(TransactionInfo transactionInfo) => Task.CompletedTask;
}
