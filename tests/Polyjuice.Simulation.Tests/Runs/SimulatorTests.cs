using Polyjuice.Contracts;
using Polyjuice.Isolation;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Tests.Runs;

public class SimulatorTests
{
    [Theory]
    [InlineData(WorkloadKind.ListAppend)]
    [InlineData(WorkloadKind.Register)]
    [InlineData(WorkloadKind.Smallbank)]
    [InlineData(WorkloadKind.Mixed)]
    internal void A_standard_seed_has_200_transactions_and_5_faults_and_commits_most(WorkloadKind workload)
    {
        for (var seed = 1UL; seed <= 6; seed++)
        {
            var run = Simulator.Run(new RunCase { Seed = seed, Workload = workload });
            Assert.True(run.Transactions >= 200, $"seed {seed}: {run.Transactions} transactions");
            Assert.True(run.Faults.Total >= 5, $"seed {seed}: {run.Faults.Total} faults");
            Assert.True(run.Committed >= 0.3 * run.Attempts, $"seed {seed}: {run.Committed} of {run.Attempts}");
        }
    }

    [Theory]
    [InlineData(FaultKinds.AllNetwork)]
    [InlineData(FaultKinds.AllCrash)]
    [InlineData(FaultKinds.AllStorage)]
    [InlineData(FaultKinds.AllClock)]
    [InlineData(FaultKinds.RivalOwner)]
    internal void Only_the_faults_that_were_asked_for_happen(FaultKinds kinds)
    {
        for (var seed = 1UL; seed <= 4; seed++)
        {
            var run = Simulator.Run(new RunCase { Seed = seed, Faults = kinds });
            Assert.True(run.Faults.Total >= 5, $"seed {seed}: {run.Faults.Total} faults");
            foreach (var other in FaultLedger.Kinds.Where(k => (k & kinds) == 0)) Assert.Equal(0, run.Faults[other]);
        }
    }

    [Fact]
    public void A_case_gives_the_same_run_again()
    {
        foreach (var (shape, _) in Shapes.Names)
        {
            var run = new RunCase { Seed = 11, Shape = shape };
            var first = Simulator.Run(run);
            var second = Simulator.Run(run);
            Assert.Equal(first.Digest, second.Digest);
            Assert.Equal(first.Events, second.Events);
            Assert.NotEqual(first.Digest, Simulator.Run(run with { Seed = 12 }).Digest);
        }
    }

    // Under auto a part is reserved at the most, and aborts behind one another remain.
    [Fact]
    public void Any_table_may_be_tried_where_all_would_reserve()
    {
        var run = Simulator.Run(new RunCase
        {
            Seed = 778657, Shape = Shapes.Reserving, Faults = FaultKinds.None, Policy = BuiltinPolicies.Get("auto")
        });
        Assert.True(run.Committed > 0);
    }

    [Fact]
    public void Who_is_refused_by_a_log_that_has_too_much_to_write_may_take_others_along() =>
        Assert.True(
            Simulator.Run(new RunCase
            {
                Seed = 430187, Shape = Shapes.Reserving, Storage = StorageKind.Disk
            }).Committed > 0);

    [Fact]
    public void A_budget_of_no_faults_lets_none_happen() =>
        Assert.Equal(0, Simulator.Run(new RunCase { Seed = 3, FaultBudget = 0 }).Faults.Total);

    [Fact]
    public void Virtual_time_runs_far_faster_than_real_time_when_there_is_little_to_do()
    {
        var run = Simulator.Run(new RunCase { Seed = 1, Shape = Shapes.Light, Faults = FaultKinds.None });

        // At 50 times real time, an event would take more than a millisecond of it.
        Assert.True(
            run.VirtualMicroseconds > 1_000_000 && run.VirtualMicroseconds / run.Events > 500,
            $"{run.Events} events in {run.VirtualMicroseconds} µs");
    }

    [Fact]
    public void A_run_under_a_built_in_policy_passes() =>
        Assert.True(Simulator.Run(new RunCase { Seed = 5, Policy = BuiltinPolicies.Get("2pl-star") }).Committed > 100);

    [Fact]
    public void The_history_of_a_run_is_what_the_isolation_checker_reads_back()
    {
        History? history = null;
        var run = Simulator.Run(new RunCase { Seed = 7, Faults = FaultKinds.None }, keep: h => history = h);
        var committed = history!.Transactions.Count(t => t.Outcome == TransactionOutcome.Committed);
        Assert.True(committed >= run.Committed, $"{committed} of {run.Committed}");
        Assert.True(IsolationChecker.Check(history).IsValid);
    }

    [Fact]
    public void A_failure_is_shrunk_to_a_smaller_run_that_fails_in_the_same_way()
    {
        var failing = new RunCase { Seed = 1, Breaks = ProtocolBreaks.NoLastCheck };
        var why = Assert.Throws<SimulationFailedException>(() => Simulator.Run(failing));
        var runs = 0;
        var shrunk = new Shrinker(why.Kind, () => ++runs < 120).Shrink(failing);
        Assert.True(shrunk.Transactions < 50, $"{shrunk.Transactions} transactions");
        var again = Assert.Throws<SimulationFailedException>(() => Simulator.Run(shrunk, trace: true));
        Assert.Equal(why.Kind, again.Kind);
        Assert.NotEmpty(again.Trace);
    }

    [Fact]
    public void Aims_that_a_failure_does_not_need_are_shrunk_away()
    {
        string[] aims =
        [
            "delay@Vote#3", "rival-owner@log.Forget%50", "loss@AgentOutcome%100", "slow-storage@log.Ceiling#2"
        ];
        var failing = new RunCase
        {
            Seed = 1, Shape = Shapes.Apart, Faults = FaultKinds.None, Breaks = ProtocolBreaks.AgentAck,
            Aims = [.. aims.Select(Aim.Parse)],
        };
        SimulationFailedException? why = null;
        for (; why is null; failing = why is null ? failing with { Seed = failing.Seed + 1 } : failing)
        {
            Assert.True(failing.Seed <= 50, "no seed fails");
            why = Record.Exception(() => Simulator.Run(failing)) as SimulationFailedException;
        }

        var runs = 0;
        var shrunk = new Shrinker(why.Kind, () => ++runs < 120).Shrink(failing);
        Assert.True(shrunk.Aims.Count < aims.Length, string.Join(',', shrunk.Aims));
        Assert.Equal(why.Kind, Assert.Throws<SimulationFailedException>(() => Simulator.Run(shrunk)).Kind);
    }

    [Fact]
    public void A_summary_names_the_holes_and_adds_up()
    {
        var one = Simulator.Run(new RunCase { Seed = 1 });
        var two = Simulator.Run(new RunCase { Seed = 2 });
        var (summary, other) = (new RunSummary(), new RunSummary());
        summary.Add(1, one);
        other.Add(2, two);
        summary.Add(other);
        Assert.Equal(2, summary.Runs);
        Assert.Equal(one.Transactions + two.Transactions, summary.Transactions);
        Assert.Contains("no Victim was lost", summary.Holes);
        Assert.Contains(summary.Lines(), line => line.StartsWith("faults ", StringComparison.Ordinal));
    }
}
