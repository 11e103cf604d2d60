using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

/// <summary>I4: a transaction ends, whatever its body and its silos do.</summary>
public sealed class TransactionEndTests
{
    [Fact]
    public void A_doomed_transaction_whose_body_does_not_end_is_given_up_when_its_time_is_over()
    {
        using var cluster = SimulatedCluster.Start(new ClusterShape { Nodes = 2, Partitions = 2 }, seed: 1);

        // The callee's exception dooms the transaction. The body swallows it, and goes on to wait.
        var body = Step.Sequence(Step.Catch(Step.Withdraw(1, 1_000)), Step.Wait(new Gate()));
        var record = cluster.Run(cluster.Node(0), new TransactionSpec("Wait", body));

        Assert.Equal((Outcome.Aborted, AbortReason.Timeout), (record.Outcome, record.Abort!.Reason));
        var timeout = cluster.Shape.Options.TransactionTimeoutMicroseconds;
        Assert.InRange(record.Ended - record.Started, timeout, timeout + 100_000);
        Assert.Equal(100, cluster.ReadAll()[1].Balance);
    }

    [Theory]
    [InlineData(true, AbortReason.ParticipantLost)]
    [InlineData(false, AbortReason.OwnerChanged)]
    public void An_attempt_that_loses_its_participant_is_followed_by_one_that_commits(bool isInCall, AbortReason reason)
    {
        var shape = new ClusterShape { Nodes = 3, Partitions = 3, DirectoryLag = 0 };
        using var cluster = SimulatedCluster.Start(shape, seed: 1);
        var gate = new Gate();
        var waitsOnce = Step.If(_ => gate.Arrivals == 0, Step.Wait(gate));
        var body = isInCall
            ? Step.Sequence(Step.Call(1, Step.Sequence(Step.Update(1, 5), waitsOnce)), Step.Update(0, -5))
            : Step.Sequence(Step.Update(1, 5), waitsOnce, Step.Update(0, -5));
        var record = cluster.Submit(cluster.Node(0), new TransactionSpec("Transfer", body));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "it must have accessed the account");
        cluster.Crash(cluster.Node(1), detect: false);
        cluster.Assign(1, cluster.Node(2));
        cluster.Require(cluster.AllServed, 1_000_000, "progress", "the account must be served elsewhere");
        cluster.Deaths.Declare(cluster.Node(1));
        gate.Open();
        cluster.AwaitEnd(record);

        Assert.Equal((Outcome.Committed, 2), (record.Outcome, record.Runs.Count));
        var aborts = cluster.Node(0).Engine.Statistics.AbortsByReason;
        Assert.Equal((1, 1), (aborts[(int)reason], aborts.Sum()));
        Assert.Equal([95, 105], cluster.ReadAll().Take(2).Select(account => account.Balance));
    }
}
