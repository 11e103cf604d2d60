namespace Polyjuice.Contracts;

/// <summary>
/// A transaction ended without committing. The engine's own exception, for hosts that have no type of their own.
/// </summary>
internal class TransactionAbortedException : Exception
{
    /// <summary>Creates it.</summary>
    public TransactionAbortedException(AbortInfo abort, Exception? inner) : base(abort.Describe(), inner) =>
        Abort = abort;

    /// <summary>What happened.</summary>
    public AbortInfo Abort { get; }
}

/// <summary>The outcome is unknown: the transaction may have committed. Never retried by the engine.</summary>
internal sealed class TransactionInDoubtException : Exception
{
    /// <summary>Creates it.</summary>
    public TransactionInDoubtException(AbortInfo abort, Exception? inner) : base(abort.Describe(), inner) =>
        Abort = abort;

    /// <summary>What is known.</summary>
    public AbortInfo Abort { get; }
}

/// <summary>Makes the engine's own exceptions.</summary>
internal sealed class EngineExceptionFactory : IAbortExceptionFactory
{
    /// <inheritdoc/>
    public Exception Create(AbortInfo abort, Exception? inner) =>
        abort.IsInDoubt ? new TransactionInDoubtException(abort, inner) : new TransactionAbortedException(abort, inner);
}
