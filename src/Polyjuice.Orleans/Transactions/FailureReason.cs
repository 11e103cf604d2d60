using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Transactions;

/// <summary>What a transaction's caller is told, in few words.</summary>
internal static class FailureReason
{
    /// <summary>Other transactions were in its way, at each attempt that it had.</summary>
    public const string Conflict = "conflict";

    /// <summary>It was not begun, or not sent, because too many others were under way.</summary>
    public const string Overload = "overload";

    /// <summary>Its time was up. Nothing of it has happened.</summary>
    public const string Timeout = "timeout";

    /// <summary>Nobody can say whether it has committed, or nobody has answered.</summary>
    public const string InDoubt = "in_doubt";

    /// <summary>A log could not be written.</summary>
    public const string Log = "log";

    /// <summary>The cluster could not run it: silos were going, coming, or out of reach.</summary>
    public const string Unavailable = "unavailable";

    /// <summary>
    /// The application has broken a rule: it updated in a read-only transaction, or did not await a call.
    /// </summary>
    public const string Misuse = "misuse";

    /// <summary>Anything else.</summary>
    public const string Other = "other";

    /// <summary>The reason, or <see langword="null"/> if that was the application's or the caller's own wish.</summary>
    public static string? Of(Exception exception) => exception switch
    {
        _ when CallFailures.IsOverload(exception) => Overload,
        LogUnavailableException => Log,
        TransactionConflictException conflict => Of(conflict.Reason),
        OrleansTransactionInDoubtException or TimeoutException => InDoubt,
        OrleansReadOnlyViolatedException or OrleansOrphanCallException => Misuse,

        // The body has thrown, has declined or has refused the commit.
        OrleansTransactionAbortedException or OperationCanceledException => null,
        _ when CallFailures.HasNotRun(exception) => Unavailable,
        SiloUnavailableException => InDoubt,
        OrleansStartTransactionFailedException => Unavailable,
        _ => Other,
    };

    private static string Of(AbortReason reason) => reason switch
    {
        AbortReason.Timeout => Timeout,
        AbortReason.LogOverloaded => Log,
        AbortReason.Shutdown or AbortReason.OwnerChanged or AbortReason.WrongOwner
            or AbortReason.ParticipantLost => Unavailable,
        _ => Conflict,
    };
}
