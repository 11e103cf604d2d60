using Orleans;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Orleans;

/// <summary>
/// A transaction has aborted, because a log that it needs can't be written at present: a full disk, a service that does
/// not answer. Nothing of it has happened. The runtime has not tried it again: the same call may succeed when it is
/// made later, and it fails as soon as this until then.
/// </summary>
[GenerateSerializer, Alias("Polyjuice.LogUnavailableException")]
public sealed class LogUnavailableException : OrleansTransactionTransientFailureException
{
    /// <summary>Creates it.</summary>
    /// <param name="transactionId">The last attempt's identity.</param>
    /// <param name="abort">What happened.</param>
    /// <param name="innerException">Its cause, if there is one.</param>
    internal LogUnavailableException(string transactionId, AbortInfo abort, Exception? innerException)
        : base(transactionId, abort.Describe(), innerException)
    {
        TransactionType = abort.TransactionType;
        Cause = abort.LogFailure;
        Grain = abort.Grain;
        Site = abort.Site;
    }

    /// <summary>The transaction's type.</summary>
    [Id(0)]
    public string TransactionType { get; private set; }

    /// <summary>
    /// Which log it is, where, and what its device said; <see langword="null"/> where another silo writes it and has
    /// only said that it can't. That silo logs it.
    /// </summary>
    [Id(1)]
    public string? Cause { get; private set; }

    /// <summary>The grain whose state needs the log, when it was found out at one.</summary>
    [Id(2)]
    public string? Grain { get; private set; }

    /// <summary>The access site where it was found out, when known.</summary>
    [Id(3)]
    public string? Site { get; private set; }
}
