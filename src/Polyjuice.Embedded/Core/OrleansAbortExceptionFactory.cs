using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>Makes the exceptions that Orleans' users catch.</summary>
internal sealed class OrleansAbortExceptionFactory : IAbortExceptionFactory
{
    public static OrleansAbortExceptionFactory Shared { get; } = new();

    /// <inheritdoc/>
    public Exception Create(AbortInfo abort, Exception? inner) => abort switch
    {
        { IsInDoubt: true } => new OrleansTransactionInDoubtException(abort, inner),
        { Reason: AbortReason.OrphanCall } => new OrleansOrphanCallException(abort, inner),
        { Reason: AbortReason.ReadOnlyViolation } => new OrleansReadOnlyViolatedException(abort, inner),
        { Reason: AbortReason.Cascade } => new OrleansCascadingAbortException(abort, inner),
        { IsRetriable: true } => new OrleansTransactionTransientFailureException(abort, inner),
        _ => new OrleansTransactionAbortedException(abort, inner),
    };
}
