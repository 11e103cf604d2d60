using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;
using Polyjuice.Tests.Agents;
using Polyjuice.Tests.Protocol;
using Outcome = Polyjuice.Simulation.Grains.Outcome;

namespace Polyjuice.Tests.Partitions.Appends;

/// <summary>How much goes into one append, and what happens when the log stands still.</summary>
public sealed class LogBatchTests
{
    [Fact]
    public void What_accumulates_while_an_append_is_in_flight_goes_out_as_one() =>
        Assert.Equal(2, Appends(options => { }));

    [Fact]
    public void A_batch_is_closed_at_its_bound_of_records() =>
        Assert.Equal(5, Appends(options => options.BatchRecordsMax = 1));

    [Fact]
    public void A_batch_is_closed_at_its_bound_of_bytes() =>
        Assert.InRange(Appends(options => options.BatchBytesMax = 256), 3, 5);

    [Fact]
    public void When_enough_waits_for_a_log_that_stands_still_writes_are_refused_until_it_moves()
    {
        var rig = new EngineRig(configure: options => options.LogBacklogBytesMax = 1_024);
        rig.Commit("First", async frame => await rig.Add(frame, 0, 1, 1));
        var tap = new LogTap(rig.Cluster.Logs);
        var held = tap.Rule(AppendFate.Hold, (_, _) => true);
        var waiting = Enumerable.Range(0, 12)
            .Select(i => rig.Start("Write", async frame => await rig.Add(frame, i % 6, 1, 100 + i), maxAttempts: 1))
            .ToArray();
        rig.Until(() => waiting.Count(task => task.IsFaulted) > 0, "some are refused");
        Assert.All(
            waiting.Where(task => task.IsFaulted),
            task => Assert.Equal(AbortReason.LogOverloaded, EngineRig.AbortOf(task).Abort.Reason));
        held.Release();
        foreach (var task in waiting) rig.End(task);
        Assert.Contains(waiting, task => task.IsCompletedSuccessfully);
        rig.Commit("Last", async frame => await rig.Add(frame, 0, 1, 2));
    }

    [Fact]
    public void Who_waits_for_a_ceiling_waits_for_no_batch_that_nobody_asks_for()
    {
        var script = new Scenario(ProtocolBreaks.None, rows: true, configure: options =>
        {
            options.BatchRecordsMax = 2;
            options.CeilingAheadMicroseconds = 20_000;
        });

        // What became of it stays in memory where row 4 is kept. The next
        // record makes the batch full, after the ceiling that is in the row.
        script.Commit(script.Agent, Scenario.Updates("Pair", 3, 4));
        script.Run(30_000);
        script.Commit(script.Agent, Scenario.Updates("One", 4));
        var read = script.Start(script.OtherAgent, new TransactionSpec("Look", Step.Read(4)));
        script.Run(5_000);

        Assert.Equal(Outcome.Committed, read.Outcome);
        script.Judge();
    }

    /// <summary>Appends of five transactions, the first of which is in flight while the others end.</summary>
    private static long Appends(Action<EngineOptions> configure)
    {
        var rig = new EngineRig(configure: options =>
        {
            options.CeilingAheadMicroseconds = 60_000_000;
            configure(options);
        });
        rig.Commit("First", async frame => await rig.Add(frame, 5, 1, 1));
        var before = rig.Statistics.Appends;
        var tap = new LogTap(rig.Cluster.Logs);
        var held = tap.Rule(AppendFate.Hold, (_, _) => true);
        var tasks = new List<Task> { rig.Start("Write", async frame => await rig.Add(frame, 0, 1, 10)) };
        rig.Until(() => held.Taken.Count > 0, "the first append is in flight");
        for (var i = 1; i < 5; i++)
        {
            var account = i;
            tasks.Add(rig.Start("Write", async frame => await rig.Add(frame, account, 1, 10 + account)));
        }

        rig.Cluster.Loop.RunFor(100);
        held.Release();
        foreach (var task in tasks) rig.End(task);
        Assert.All(tasks, task => Assert.True(task.IsCompletedSuccessfully));
        return rig.Statistics.Appends - before;
    }
}
