using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Tests.Agents;

/// <summary>Two silos; account 1 is at the other one than the transactions' agents.</summary>
public sealed class ElsewhereTests
{
    [Fact]
    public void Where_a_transaction_runs_its_progress_is_known_before_its_agent_knows_it()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape { ThinkMax = 0, DirectoryLag = 0, Policy = _ => new WaitsForSites() }, seed: 1);
        Warm(cluster, "Move", Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Pause(1))));
        var gate = new Gate();
        var record = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec("Move", Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Wait(gate)))));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "the body must get there");
        Assert.Equal(1, cluster.Node(1).Engine.Transactions.Find(record.LastAttempt)!.Progress);
        gate.Open();
        cluster.AwaitEnd(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
    }

    [Fact]
    public void What_runs_in_parallel_elsewhere_says_nothing_of_the_whole()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape { ThinkMax = 0, DirectoryLag = 0, Policy = _ => new WaitsForSites() }, seed: 1);
        Warm(cluster, "Move", Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Pause(1))));
        var (here, gate) = (new Gate(), new Gate());
        var record = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec(
                "Move",
                Step.Parallel(
                    Step.Call(0, Step.Wait(here)), Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Wait(gate))))));
        cluster.Require(
            () => gate.Arrivals == 1 && here.Arrivals == 1, 1_000_000, "progress", "the body must get there");
        Assert.Equal(0, cluster.Node(1).Engine.Transactions.Find(record.LastAttempt)!.Progress);
        here.Open();
        gate.Open();
        cluster.AwaitEnd(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
    }

    [Fact]
    public void Who_has_read_elsewhere_what_was_overwritten_since_comes_before_that()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                ThinkMax = 0, DirectoryLag = 0, Policy = _ => new FixedPolicy("plain", PolicyActions.None)
            },
            seed: 1);
        Warm(cluster, "Read", Step.Read(1));
        var (begins, writes, reads) = (new Gate(), new Gate(), new Gate());
        var reader = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec(
                "Read", Step.Sequence(Step.Wait(begins), Step.Read(1), Step.Wait(reads), Step.Update(0, 1))));
        cluster.Require(
            () => begins.Arrivals == 1,
            1_000_000,
            "progress",
            "the reader must have begun: before that it could not commit");
        cluster.Loop.RunFor(100);
        var writer = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec("Write", Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Wait(writes)))));
        cluster.Require(() => writes.Arrivals == 1, 1_000_000, "progress", "the writer must have written");
        begins.Open();
        cluster.Require(() => reads.Arrivals == 1, 1_000_000, "progress", "the reader must have read");
        writes.Open();
        cluster.AwaitEnd(writer);
        reads.Open();
        cluster.AwaitEnd(reader);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (writer.Outcome, reader.Outcome));
        Assert.Single(reader.Runs);
    }

    private static void Warm(SimulatedCluster cluster, string type, Step step)
    {
        var record = cluster.Submit(cluster.Node(0), new TransactionSpec(type, step));
        cluster.AwaitEnd(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
    }

    /// <summary>Rows that wait for first sites, so that how far transactions have got is kept.</summary>
    private sealed class WaitsForSites : IPolicyCompiler
    {
        public string Name => "waits-for-sites";

        public PolicyTable Compile(SiteRegistry registry, int version) =>
            new PolicyTableBuilder(registry, Name, PolicyActions.None, defaultWait: 1).Build(version);
    }
}
