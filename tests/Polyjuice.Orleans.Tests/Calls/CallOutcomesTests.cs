using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallOutcomesTests
{
    public static TheoryData<Exception, CallOutcome, bool> Exceptions => new()
    {
        { new OrleansTransactionInDoubtException("1", "nobody knows", null), CallOutcome.InDoubt, false },
        {
            new TransactionConflictException("1", new AbortInfo(AbortReason.Deadlock, "Pay"), null),
            CallOutcome.GivenUp, true
        },
        {
            new OrleansTransactionAbortedException("1", new InvalidOperationException("no money")),
            CallOutcome.Refused, false
        },
        {
            new OrleansTransactionAbortedException("1", "cancelled", new OperationCanceledException()),
            CallOutcome.GivenUp, false
        },
        { new IdempotencyException("1", IdempotencyFailure.OtherMethod, "no"), CallOutcome.Refused, false },
        { new TimeoutException(), CallOutcome.InDoubt, false },
        { new SiloUnavailableException("It has died."), CallOutcome.InDoubt, false },
        { new SiloUnavailableException("Silo 'S127.0.0.1:11111:1' is shutting down."), CallOutcome.GivenUp, true },
        { new ConnectionFailedException("No gateway."), CallOutcome.GivenUp, true },
        { new GatewayTooBusyException(), CallOutcome.GivenUp, true },
        {
            new OrleansStartTransactionFailedException(new OrleansTransactionOverloadException()), CallOutcome.GivenUp,
            true
        },
        { new OrleansStartTransactionFailedException(new InvalidOperationException()), CallOutcome.GivenUp, false },
        {
            new OperationCanceledException("Message expired before placement could complete."), CallOutcome.InDoubt,
            false
        },
        { new InvalidOperationException("mine"), CallOutcome.Refused, false },
    };

    [Theory]
    [MemberData(nameof(Exceptions))]
    public void What_a_call_threw_says_how_it_has_ended(Exception exception, CallOutcome outcome, bool mayRepeat)
    {
        var end = CallOutcomes.EndOf(exception);
        Assert.Equal((outcome, mayRepeat), (end.Outcome, end.MayRepeat));
        Assert.Equal(outcome, CallOutcomes.Of(exception));
    }
}
