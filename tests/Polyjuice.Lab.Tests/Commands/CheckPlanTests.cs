using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Tool.Commands;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Mixed;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Tests.Commands;

public class CheckPlanTests
{
    private static readonly CheckPlan _open = new()
    {
        Workloads = [new(MixedWorkload.Definition, new WorkloadParameters(12), 0.8)],
        Faults = [FaultKind.Crash, FaultKind.Pause], Every = TimeSpan.FromSeconds(3), Policy = null, Seed = 1,
        Seeds = 1, Time = TimeSpan.FromMinutes(1), Committed = 1_000_000, RunTime = TimeSpan.FromSeconds(8),
        Silos = null, EnginesPerSilo = null, Partitions = null, ClientsMost = 16,
        ResponseTimeout = TimeSpan.FromSeconds(2), SwapInterval = null, Logs = null, AppendDelay = null,
        NetworkDelay = null, Pause = null, Evidence = null,
    };

    [Fact]
    public void What_is_left_open_the_seed_decides_and_all_of_it_comes()
    {
        var runs = Enumerable.Range(0, 64).Select(_open.CaseOf).ToArray();

        Assert.Equal([1, 2, 3], runs.Select(run => run.Silos).Distinct().Order());
        Assert.Equal([ChaosLogs.Memory, ChaosLogs.Files], runs.Select(run => run.Logs).Distinct().Order());
        Assert.Equal([1, 2, 3], runs.Select(run => run.EnginesPerSilo).Distinct().Order());
        Assert.Contains(runs, run => run.AppendDelay > TimeSpan.Zero);
        Assert.Contains(runs, run => run.NetworkDelay > TimeSpan.Zero);
        Assert.All(runs, run => Assert.Equal(_open.CaseOf(run.Seed).Partitions, run.Partitions));
    }

    [Fact]
    public void At_night_silos_stand_still_for_half_a_minute_in_some_runs()
    {
        var runs = Enumerable.Range(0, 66).Select(_open.CaseOf).Where(run => run.Faults!.Durations.Count > 0).ToArray();

        Assert.Equal(6, runs.Length);
        Assert.All(
            runs,
            run => Assert.Equal(
                (TimeSpan.FromSeconds(30), true),
                (run.Faults!.Durations[FaultKind.Pause], run is { Silos: 3, Time.TotalSeconds: > 30 })));
        Assert.DoesNotContain(
            Enumerable.Range(0, 64).Select((_open with { Committed = null }).CaseOf),
            run => run.Faults!.Durations.Count > 0);
    }

    [Fact]
    public void A_workload_may_take_fewer_clients_than_others()
    {
        var plan = _open with
        {
            ClientsMost = 64, Workloads = [_open.Workloads[0], _open.Workloads[0] with { ClientsMax = 16 }]
        };

        Assert.Equal((64, 16), (plan.CaseOf(0).Clients, plan.CaseOf(1).Clients));
        Assert.Equal(100, (plan with { Clients = 100 }).CaseOf(1).Clients);
    }

    [Fact]
    public void At_night_each_workload_meets_half_a_minute()
    {
        var plan = _open with
        {
            Workloads = [.. Enumerable.Range(0, 6).Select(scale => _open.Workloads[0] with { Theta = scale })]
        };

        var runs = Enumerable.Range(0, 66).Select(plan.CaseOf).Where(run => run.Faults!.Durations.Count > 0);

        Assert.Equal([0, 1, 2, 3, 4, 5], runs.Select(run => run.Theta).Order());
    }

    [Fact]
    public void A_fault_that_is_left_out_is_not_expected_to_last()
    {
        var plan = _open with { Faults = [FaultKind.Crash, FaultKind.Pause] };

        Assert.Contains("faults: Pause for 30 s", plan.Expected().Missing);
        Assert.DoesNotContain("faults: Deposition for 30 s", plan.Expected().Missing);
        Assert.DoesNotContain(
            plan.Expected().Missing, missing => missing.Contains("deposed", StringComparison.Ordinal));
    }

    [Fact]
    public void A_table_that_learns_has_time_to() =>
        Assert.All(
            Enumerable.Range(0, 64).Select(_open.CaseOf),
            run => Assert.Equal(TimeSpan.FromSeconds(3), run.LearningInterval));

    [Fact]
    public void What_repeats_a_run_says_all_that_the_seed_has_decided()
    {
        var run = _open.CaseOf(11);

        var again = _open.Again(run);

        Assert.StartsWith(
            $"check --workload mixed --seed 11 --seeds 1 --seconds 8 --silos {run.Silos} "
            + $"--engines-per-silo {run.EnginesPerSilo} --partitions {run.Partitions} ",
            again);
        Assert.Contains(" --pause 30 ", again);
        Assert.EndsWith(" --policy random --faults crash,pause", again);
    }
}
