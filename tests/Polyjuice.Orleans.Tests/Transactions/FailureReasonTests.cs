using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.Transactions;

public sealed class FailureReasonTests
{
    [Theory]
    [InlineData(AbortReason.Validation, FailureReason.Conflict)]
    [InlineData(AbortReason.Deadlock, FailureReason.Conflict)]
    [InlineData(AbortReason.Timeout, FailureReason.Timeout)]
    [InlineData(AbortReason.LogUnavailable, FailureReason.Log)]
    [InlineData(AbortReason.LogOverloaded, FailureReason.Log)]
    [InlineData(AbortReason.Shutdown, FailureReason.Unavailable)]
    [InlineData(AbortReason.OwnerChanged, FailureReason.Unavailable)]
    [InlineData(AbortReason.InDoubt, FailureReason.InDoubt)]
    [InlineData(AbortReason.ReadOnlyViolation, FailureReason.Misuse)]
    [InlineData(AbortReason.OrphanCall, FailureReason.Misuse)]
    [InlineData(AbortReason.Cancelled, null)]
    [InlineData(AbortReason.CommitRefused, null)]
    public void What_the_engine_says_has_a_reason_unless_somebody_has_wanted_it(AbortReason abort, string? reason) =>
        Assert.Equal(reason, FailureReason.Of(new AbortExceptionFactory().Create(new(abort, "T"), null)));

    [Fact]
    public void What_the_application_has_thrown_or_declined_is_no_failure()
    {
        var factory = new AbortExceptionFactory();
        foreach (var thrown in new Exception[] { new InvalidOperationException("no"), new DeclinedException() })
            Assert.Null(FailureReason.Of(factory.Create(new(AbortReason.UserException, "T"), thrown)));
        Assert.Null(FailureReason.Of(new OperationCanceledException()));
    }

    [Fact]
    public void Whether_a_call_may_have_run_tells_doubt_from_a_cluster_that_is_out_of_reach()
    {
        Assert.Equal(FailureReason.InDoubt, FailureReason.Of(new TimeoutException()));
        var gone = new SiloUnavailableException("The target silo became unavailable.");
        Assert.Equal(FailureReason.InDoubt, FailureReason.Of(gone));
        var stopping = new SiloUnavailableException("Silo 'S' is shutting down.");
        Assert.Equal(FailureReason.Unavailable, FailureReason.Of(stopping));
        Assert.Equal(FailureReason.Overload, FailureReason.Of(TransactionAdmission.Overload()));
        var unplaced = new OrleansStartTransactionFailedException(new OrleansException("no silo"));
        Assert.Equal(FailureReason.Unavailable, FailureReason.Of(unplaced));
        Assert.Equal(FailureReason.Other, FailureReason.Of(new InvalidCastException()));
    }
}
