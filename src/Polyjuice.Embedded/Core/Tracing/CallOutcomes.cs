using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded.Core;

/// <summary>What a call's exception says of how it has ended.</summary>
internal static class CallOutcomes
{
    public static CallEnd Of(Exception exception) => exception switch
    {
        OrleansTransactionInDoubtException => new(CallOutcome.InDoubt, nameof(AbortReason.InDoubt)),
        OrleansTransactionAbortedException { Abort.Reason: AbortReason.UserException, InnerException: { } own } => new(CallOutcome.Refused, own.GetType().Name),
        OrleansTransactionAbortedException { Abort: { } abort } => new(CallOutcome.GivenUp, abort.Reason.ToString(), abort.IsRetriable),

        // A call without an answer may have had its effect.
        TimeoutException or SiloUnavailableException => new(CallOutcome.InDoubt, exception.GetType().Name),

        // The grain moved while the call waited for its turn: it never ran.
        OrleansMessageRejectionException => new(CallOutcome.GivenUp, exception.GetType().Name, MayRepeat: true),
        _ => new(CallOutcome.Refused, exception.GetType().Name),
    };
}
