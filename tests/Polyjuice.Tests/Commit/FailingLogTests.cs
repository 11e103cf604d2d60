using Polyjuice.Execution;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Tests.Commit;

/// <summary>A log that can't be written for a time, as on a full disk.</summary>
public sealed class FailingLogTests
{
    [Fact]
    public void Commits_end_with_the_reason_while_the_log_fails_and_go_on_when_it_works()
    {
        using var cluster = SimulatedCluster.Start(new ClusterShape { Nodes = 1, Partitions = 1 }, seed: 1);
        Assert.Equal(Outcome.Committed, Add(cluster, 0).Outcome);
        cluster.Logs.Hook = static _ => AppendFate.FailBefore;

        // What is in the log's hands when it stops can't be decided.
        var inItsHands = Add(cluster, 0);
        Assert.Equal((Outcome.InDoubt, AbortReason.InDoubt), (inItsHands.Outcome, inItsHands.Abort!.Reason));
        AssertSaysWhy(inItsHands);

        // Later ones are refused as long as they have time, and each says why.
        var later = Add(cluster, 1);
        Assert.Equal((Outcome.Aborted, AbortReason.LogUnavailable), (later.Outcome, later.Abort!.Reason));
        Assert.True(later.Abort.Attempts > 1);
        AssertSaysWhy(later);
        cluster.Logs.Hook = null;
        Assert.Equal(Outcome.Committed, Add(cluster, 1).Outcome);

        cluster.RestartEverything();
        var balances = cluster.ReadAll().Select(account => account.Balance).ToArray();
        Assert.InRange(balances[0], 101, 102);
        Assert.Equal(101, balances[1]);
    }

    private static TransactionRecord Add(SimulatedCluster cluster, int account) =>
        cluster.Run(cluster.Alive[0], new TransactionSpec("Add", Step.Update(account, 1)));

    private static void AssertSaysWhy(TransactionRecord record) =>
        Assert.Contains("a log can't be written", record.Abort!.Describe(), StringComparison.Ordinal);
}
