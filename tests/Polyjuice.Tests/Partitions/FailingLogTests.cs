using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Partitions;

/// <summary>A log that can't be written for a time, as on a full disk.</summary>
public sealed class FailingLogTests
{
    private static readonly long s_outage = ClusterShape.FastOptions().ResendMicroseconds;

    [Fact]
    public void Commits_end_with_the_reason_while_the_log_fails_and_go_on_when_it_works()
    {
        using var cluster = StartOne();
        Assert.Equal(Outcome.Committed, Add(cluster, 0).Outcome);
        cluster.Logs.Hook = static _ => AppendFate.FailBefore;

        // What is in the log's hands when it stops can't be decided.
        var inItsHands = Add(cluster, 0);
        Assert.Equal((Outcome.InDoubt, AbortReason.InDoubt), (inItsHands.Outcome, inItsHands.Abort!.Reason));
        AssertSaysWhy(inItsHands);

        // Later ones are refused, and each says why.
        AssertRefused(cluster, Update(1));
        cluster.Logs.Hook = null;
        cluster.Loop.RunFor(s_outage);
        Assert.Equal(Outcome.Committed, Add(cluster, 1).Outcome);

        cluster.RestartEverything();
        var balances = cluster.ReadAll().Select(account => account.Balance).ToArray();
        Assert.InRange(balances[0], 101, 102);
        Assert.Equal(102, balances[1]);
    }

    [Fact]
    public void Who_comes_when_the_log_is_out_is_refused_at_once_and_who_is_in_its_hands_commits_with_it()
    {
        using var cluster = StartOne();
        var inItsHands = GoOut(cluster);

        // Reads of what is decided go on as far as the ceiling reaches; here it has long passed.
        cluster.Loop.RunFor(cluster.Shape.Options.CeilingAheadMicroseconds);
        AssertRefused(cluster, Update(1));
        AssertRefused(cluster, new TransactionSpec("Look", Step.Read(0)));
        AssertRefused(cluster, new TransactionSpec("Look", Step.Read(1)));
        AssertRefused(cluster, new TransactionSpec("Snapshot", Step.Read(0), IsReadOnly: true));
        AssertRefused(cluster, new TransactionSpec("Snapshot", Step.Read(1), IsReadOnly: true));
        Assert.Equal(1, cluster.Alive[0].Engine.Statistics.LogsOut);
        Assert.Contains("log partition 0", cluster.Alive[0].Engine.OutageOf(0), StringComparison.Ordinal);

        var begin = cluster.Loop.Now;
        cluster.Logs.Hook = null;
        cluster.AwaitEnd(inItsHands);
        Assert.Equal(Outcome.Committed, inItsHands.Outcome);
        Assert.InRange(cluster.Loop.Now - begin, 0, s_outage);
        Assert.Equal(Outcome.Committed, Add(cluster, 1).Outcome);
        Assert.Equal(0, cluster.Alive[0].Engine.Statistics.LogsOut);
        Assert.Null(cluster.Alive[0].Engine.OutageOf(0));
        Assert.True(cluster.Alive[0].Engine.Statistics.AppendFailures > 1);
    }

    /// <summary>Nothing but the log's answer would let it go on, which may come in hours.</summary>
    [Fact]
    public void Who_waits_for_a_ceiling_or_for_a_decision_when_the_log_goes_out_waits_no_longer()
    {
        using var cluster = StartOne(PolicyActions.ReadDirty);
        cluster.Loop.RunFor(2 * cluster.Shape.Options.CeilingAheadMicroseconds);
        cluster.Logs.Hook = static _ => AppendFate.FailBefore;
        var begin = cluster.Loop.Now;
        var inItsHands = cluster.Submit(cluster.Alive[0], Update(0));
        TransactionRecord[] waiting =
        [
            cluster.Submit(cluster.Alive[0], new TransactionSpec("Look", Step.Read(1))),
            cluster.Submit(cluster.Alive[0], new TransactionSpec("Snapshot", Step.Read(1), IsReadOnly: true)),
            cluster.Submit(
                cluster.Alive[0], new TransactionSpec("Snapshot", Step.Read(0), IsReadOnly: true), delay: 2_000),
        ];
        cluster.AwaitEnd(waiting);
        Assert.InRange(cluster.Loop.Now - begin, 0, 2 * s_outage);
        Assert.All(waiting, AssertSaysWhy);
        Assert.All(
            waiting,
            record => Assert.Equal(
                (Outcome.Aborted, AbortReason.LogUnavailable), (record.Outcome, record.Abort!.Reason)));
        Assert.Equal(Outcome.Running, inItsHands.Outcome);
    }

    [Fact]
    public void Who_is_in_its_hands_hears_no_later_than_its_time_is_up()
    {
        const long Timeout = 400_000;
        using var cluster = StartOne();
        var begin = cluster.Loop.Now;
        var inItsHands = GoOut(cluster, Timeout);
        cluster.AwaitEnd(inItsHands);
        Assert.Equal(Outcome.InDoubt, inItsHands.Outcome);
        AssertSaysWhy(inItsHands);
        Assert.InRange(cluster.Loop.Now - begin, Timeout, Timeout + (5 * cluster.Shape.Options.TickMicroseconds));
    }

    /// <summary>Another node's call is refused where the log is, and its caller hears why.</summary>
    [Fact]
    public void Other_nodes_hear_which_log_it_is_and_why()
    {
        using var cluster = SimulatedCluster.Start(new ClusterShape { Nodes = 2, Partitions = 1 }, seed: 1);
        var owner = cluster.OwnerOf(0)!;
        var other = cluster.Alive.First(node => node != owner);
        cluster.Run(other, Update(1));
        cluster.Logs.Hook = static _ => AppendFate.FailBefore;
        cluster.Submit(owner, Update(0));
        cluster.Loop.RunFor(2 * s_outage);
        var record = cluster.Run(other, Update(1));
        Assert.Equal(
            (Outcome.Aborted, AbortReason.LogUnavailable, 1),
            (record.Outcome, record.Abort!.Reason, record.Abort.Attempts));
        Assert.Contains("a log can't be written: log partition 0", record.Abort.Describe(), StringComparison.Ordinal);
    }

    [Fact]
    public void One_failure_that_the_next_try_ends_is_nobodys_business()
    {
        using var cluster = StartOne();
        var fails = true;
        cluster.Logs.Hook = _ =>
        {
            var fate = fails ? AppendFate.FailBefore : AppendFate.Usual;
            fails = false;
            return fate;
        };
        Assert.Equal(Outcome.Committed, Add(cluster, 0).Outcome);
        Assert.Equal(
            (1, 0),
            (cluster.Alive[0].Engine.Statistics.AppendFailures,
                cluster.Alive[0].Engine.Statistics.AbortsByReason[(int)AbortReason.LogUnavailable]));
    }

    private static SimulatedCluster StartOne(PolicyActions policy = PolicyActions.None)
    {
        var cluster = SimulatedCluster.Start(
            new ClusterShape { Nodes = 1, Partitions = 1, Policy = _ => new FixedPolicy("test", policy) }, seed: 1);
        Assert.Equal(Outcome.Committed, Add(cluster, 1).Outcome);
        return cluster;
    }

    /// <summary>The log fails for so long that it is out.</summary>
    /// <returns>The transaction in its hands.</returns>
    private static TransactionRecord GoOut(SimulatedCluster cluster, long timeout = 0)
    {
        cluster.Logs.Hook = static _ => AppendFate.FailBefore;
        var inItsHands = cluster.Submit(cluster.Alive[0], Update(0) with { TimeoutMicroseconds = timeout });
        cluster.Loop.RunFor(2 * s_outage);
        Assert.Equal(Outcome.Running, inItsHands.Outcome);
        return inItsHands;
    }

    private static void AssertRefused(SimulatedCluster cluster, TransactionSpec spec)
    {
        var begin = cluster.Loop.Now;
        var record = cluster.Run(cluster.Alive[0], spec);
        Assert.Equal(
            (Outcome.Aborted, AbortReason.LogUnavailable, 1),
            (record.Outcome, record.Abort!.Reason, record.Abort.Attempts));
        AssertSaysWhy(record);
        Assert.InRange(cluster.Loop.Now - begin, 0, 2_000);
    }

    private static TransactionSpec Update(int account) => new("Add", Step.Update(account, 1));

    private static TransactionRecord Add(SimulatedCluster cluster, int account) =>
        cluster.Run(cluster.Alive[0], Update(account));

    private static void AssertSaysWhy(TransactionRecord record) =>
        Assert.Contains("a log can't be written: log partition 0", record.Abort!.Describe(), StringComparison.Ordinal);
}
