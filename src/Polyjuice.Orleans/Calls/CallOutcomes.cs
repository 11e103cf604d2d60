using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans;

/// <summary>What a call's exception says of how it has ended. Thread-safe.</summary>
public static class CallOutcomes
{
    /// <summary>
    /// Tells from the exception of a grain call, or of <c>RunTransaction</c>, what has become of its transaction. An
    /// exception that neither Orleans nor this engine throws counts as <see cref="CallOutcome.Refused"/>: the
    /// application's own.
    /// </summary>
    /// <param name="exception">What the call threw.</param>
    public static CallOutcome Of(Exception exception) => EndOf(exception).Outcome;

    /// <summary>The same, with the reason and whether a repetition may help.</summary>
    /// <param name="exception">What the call threw.</param>
    internal static CallEnd EndOf(Exception exception) => exception switch
    {
        OrleansTransactionInDoubtException => new(CallOutcome.InDoubt, nameof(AbortReason.InDoubt)),
        TransactionConflictException conflict => new(CallOutcome.GivenUp, conflict.Reason.ToString(), MayRepeat: true),
        LogUnavailableException => new(CallOutcome.GivenUp, nameof(AbortReason.LogUnavailable), MayRepeat: true),
        IdempotencyException => new(CallOutcome.Refused, nameof(IdempotencyException)),
        OrleansTransactionAbortedException { InnerException: { } own and not OperationCanceledException } =>
            new(CallOutcome.Refused, own.GetType().Name),
        _ when CallFailures.HasNotRun(exception) => new(CallOutcome.GivenUp, exception.GetType().Name, MayRepeat: true),
        OrleansTransactionAbortedException or OrleansStartTransactionFailedException =>
            new(CallOutcome.GivenUp, exception.GetType().Name),

        // A call without an answer may have had its effect. Cancelled is one whose caller waits no longer, or, by
        // Orleans, one for which no silo was found in its time.
        TimeoutException or SiloUnavailableException or OperationCanceledException =>
            new(CallOutcome.InDoubt, exception.GetType().Name),
        _ => new(CallOutcome.Refused, exception.GetType().Name),
    };
}
