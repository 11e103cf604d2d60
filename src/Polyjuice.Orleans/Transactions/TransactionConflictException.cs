using Orleans;
using Orleans.Transactions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Orleans;

/// <summary>
/// A transaction has aborted for no fault of its own, and so often that
/// it was given up: the same call may succeed when it is made again.
/// </summary>
[GenerateSerializer, Alias("Polyjuice.TransactionConflictException")]
public sealed class TransactionConflictException : OrleansTransactionTransientFailureException
{
    /// <summary>Creates it.</summary>
    /// <param name="transactionId">The last attempt's identity.</param>
    /// <param name="abort">What happened.</param>
    /// <param name="innerException">Its cause, if there is one.</param>
    internal TransactionConflictException(string transactionId, AbortInfo abort, Exception? innerException)
        : base(transactionId, abort.Describe(), innerException)
    {
        Reason = abort.Reason;
        TransactionType = abort.TransactionType;
        Grain = abort.Grain;
        Site = abort.Site;
        OtherType = abort.OtherType;
        Attempts = abort.Attempts;
    }

    /// <summary>Why the last attempt aborted.</summary>
    [Id(0)]
    public AbortReason Reason { get; private set; }

    /// <summary>The transaction's type.</summary>
    [Id(1)]
    public string TransactionType { get; private set; }

    /// <summary>The grain where it was found out, when one is to blame.</summary>
    [Id(2)]
    public string? Grain { get; private set; }

    /// <summary>The access site where it was found out, when known.</summary>
    [Id(3)]
    public string? Site { get; private set; }

    /// <summary>The type of the other transaction, when known.</summary>
    [Id(4)]
    public string? OtherType { get; private set; }

    /// <summary>How many attempts were made.</summary>
    [Id(5)]
    public int Attempts { get; private set; }
}
