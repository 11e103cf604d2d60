using Orleans.Runtime;
using Polyjuice.Execution;

namespace Orleans.Transactions;

/// <summary>Base of the exceptions about transactions.</summary>
public class OrleansTransactionException : OrleansException
{
    /// <summary>Creates it with a message.</summary>
    public OrleansTransactionException(string message) : base(message)
    {
    }

    /// <summary>Creates it for a transaction that ended without committing.</summary>
    public OrleansTransactionException(AbortInfo abort, Exception? innerException) : base(abort.Describe(), innerException) => Abort = abort;

    /// <summary>What happened; <see langword="null"/> when no transaction was under way.</summary>
    public AbortInfo? Abort { get; internal set; }
}

/// <summary>The transaction aborted: nothing that it did is visible. Its inner exception is the user's own, if there was one.</summary>
public class OrleansTransactionAbortedException(AbortInfo abort, Exception? innerException)
    : OrleansTransactionException(abort, innerException);

/// <summary>The transaction aborted, and the same call may succeed when it is made again.</summary>
public class OrleansTransactionTransientFailureException(AbortInfo abort, Exception? innerException)
    : OrleansTransactionAbortedException(abort, innerException);

/// <summary>A transaction on whose writes this one was built has aborted.</summary>
public sealed class OrleansCascadingAbortException(AbortInfo abort, Exception? innerException)
    : OrleansTransactionTransientFailureException(abort, innerException);

/// <summary>A grain call of the transaction was not awaited.</summary>
public sealed class OrleansOrphanCallException(AbortInfo abort, Exception? innerException)
    : OrleansTransactionAbortedException(abort, innerException);

/// <summary>A transaction that was declared read-only tried to update.</summary>
public sealed class OrleansReadOnlyViolatedException(AbortInfo abort, Exception? innerException)
    : OrleansTransactionAbortedException(abort, innerException);

/// <summary>Nobody can say whether the transaction committed. Making the call again may do its work twice.</summary>
public sealed class OrleansTransactionInDoubtException(AbortInfo abort, Exception? innerException)
    : OrleansTransactionException(abort, innerException);
