using Microsoft.AspNetCore.Connections;
using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Runtime.Placement;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallFailuresTests
{
    // Orleans' own exception, as its placement makes it: should its words change, this fails, and not a caller.
    [Fact]
    public async Task What_a_stopping_silo_does_not_place_has_not_run()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1);
        var placement = PlacementOf(cluster);
        var target = new PlacementTarget(cluster.Client.GetGrain<IAccount>(1).GetGrainId(), [], default, 0);
        Assert.Single(placement.GetCompatibleSilos(target));

        await cluster.StopSiloAsync(cluster.Silos[0]);

        var exception = Assert.Throws<SiloUnavailableException>(() => placement.GetCompatibleSilos(target));
        Assert.True(CallFailures.HasNotRun(exception), exception.Message);
    }

    public static TheoryData<Exception, bool, bool> Exceptions => new()
    {
        { Made.Rejection("Silo stopping"), true, false },
        { new SiloUnavailableException("Silo 'S127.0.0.1:11111:1' is shutting down."), true, false },
        {
            new SiloUnavailableException("The target silo became unavailable for message: Request. See …."), false,
            false
        },
        {
            new SiloUnavailableException(
                "The local Orleans host is shutting down and can no longer process the request."),
            false, false
        },
        { new SiloUnavailableException("Silo 'S127.0.0.1:11111:1' is no longer active"), false, false },
        { new ConnectionFailedException("Unable to connect to endpoint."), true, false },
        { new ConnectionAbortedException("It broke."), false, false },
        { new GatewayTooBusyException(), true, true },
        { new OrleansStartTransactionFailedException(new OrleansTransactionOverloadException()), true, true },
        { new OrleansStartTransactionFailedException(new InvalidOperationException("no engine")), false, false },
        { new OrleansTransactionInDoubtException("1", "nobody knows", null), false, false },
        { new TransactionConflictException("1", new AbortInfo(AbortReason.Deadlock, "Pay"), null), false, false },
        { new OrleansTransactionAbortedException("1", new ConnectionFailedException("further down")), false, false },
        { new OrleansTransactionAbortedException("1", Made.Rejection("further down")), false, false },
        { new TimeoutException(), false, false },
        { new OperationCanceledException("Message expired before placement could complete."), false, false },
        { new InvalidOperationException("mine"), false, false },
    };

    [Theory]
    [MemberData(nameof(Exceptions))]
    public void A_call_s_exception_says_whether_it_has_run(Exception exception, bool hasNotRun, bool isOverload)
    {
        Assert.Equal((hasNotRun, isOverload), (CallFailures.HasNotRun(exception), CallFailures.IsOverload(exception)));

        // Of what can't have run nobody may say that it is in doubt, or that the application refused it.
        if (hasNotRun)
            Assert.Equal(
                (CallOutcome.GivenUp, true),
                (CallOutcomes.Of(exception), CallOutcomes.EndOf(exception).MayRepeat));
    }

    private static IPlacementContext PlacementOf(InProcessTestCluster cluster)
    {
        var service = typeof(Silo).Assembly.GetType("Orleans.Runtime.Placement.PlacementService", throwOnError: true)!;
        return (IPlacementContext)cluster.GetSiloServiceProvider().GetService(service)!;
    }
}
