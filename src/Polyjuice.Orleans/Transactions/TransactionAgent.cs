using System.Runtime.InteropServices;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// What Orleans' requests take for the agent. Transactions are started and finished by the engine around the request
/// (<see cref="IncomingCalls"/>), so there is little left to do here.
/// </summary>
internal sealed class TransactionAgent : ITransactionAgent
{
    private static readonly Task<(TransactionalStatus, Exception?)> _ok =
        Task.FromResult<(TransactionalStatus, Exception?)>((TransactionalStatus.Ok, null));

    /// <inheritdoc/>
    public Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        if (CallScope.Current is not { } scope)
            throw new OrleansStartTransactionFailedException(new InvalidOperationException(
                "The call has come as a request that Polyjuice has not taken over: something in this silo makes grain "
                + "references, or codecs of requests, in place of Orleans. Register it before UsePolyjuice()."));
        return Task.FromResult(TransactionInfos.Begin(GuidOf(scope.Frame.TransactionId), readOnly));
    }

    /// <inheritdoc/>
    public Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo) => _ok;

    /// <inheritdoc/>
    public Task Abort(TransactionInfo transactionInfo)
    {
        if (!transactionInfo.TryToCommit && CallScope.Current is { } scope) scope.IsDeclined = true;
        return Task.CompletedTask;
    }

    /// <summary>An attempt's identity as Orleans has it.</summary>
    public static Guid GuidOf(TransactionId id)
    {
        Span<long> halves = [id.Node.Value, id.Sequence];
        return new Guid(MemoryMarshal.AsBytes(halves));
    }
}
