using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Waits;

namespace Polyjuice.Orleans.Transactions;

/// <summary>Makes the exceptions that Orleans' users catch.</summary>
internal sealed class AbortExceptionFactory : IAbortExceptionFactory
{
    /// <inheritdoc/>
    public bool IsDecline(Exception failure) => failure is DeclinedException;

    /// <inheritdoc/>
    public Exception Create(AbortInfo abort, Exception? inner)
    {
        // Orleans' requests wrap what a body throws before the engine sees it.
        if (abort.Reason == AbortReason.UserException && inner is OrleansTransactionException) return inner;
        var id = CallScope.Current is { } scope
            ? TransactionAgent.GuidOf(scope.Frame.TransactionId).ToString()
            : abort.TransactionType;
        return abort switch
        {
            { IsInDoubt: true } => new OrleansTransactionInDoubtException(id, abort.Describe(), inner),
            { Reason: AbortReason.OrphanCall } => new OrleansOrphanCallException(id, 1),
            { Reason: AbortReason.ReadOnlyViolation } => new OrleansReadOnlyViolatedException(id),
            { Reason: AbortReason.UserException } when inner is null => new TransactionDoomedException(id),
            { Reason: AbortReason.UserException } => new OrleansTransactionAbortedException(id, inner),
            { Reason: AbortReason.CommitRefused } => new OrleansTransactionAbortedException(id, abort.Describe()),
            { Reason: AbortReason.Cancelled } =>
                new OrleansTransactionAbortedException(id, abort.Describe(), new OperationCanceledException()),
            { Reason: AbortReason.LogUnavailable } => new LogUnavailableException(id, abort, inner),
            _ => new TransactionConflictException(id, abort, inner),
        };
    }
}
