using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Tests.Scoring;

public sealed class ScoringTests
{
    [Fact]
    public void A_latency_above_the_bound_costs_in_proportion_and_one_below_nothing()
    {
        var score = new ReplayScore(1_000, 0, 5_000, 40_000, 100, 0, 100_000, 1, false, 0);

        Assert.Equal(1_000, ScoreObjective.Throughput.Of(score));
        Assert.Equal(1_000, new ScoreObjective(40_000).Of(score));
        Assert.Equal(500, new ScoreObjective(20_000).Of(score));
    }

    [Fact]
    public void Tau_is_1_for_the_same_order_minus_1_for_the_reverse_and_between_for_part_of_it()
    {
        Assert.Equal(1, KendallTau.Of([1, 2, 3, 4], [10, 20, 30, 40]));
        Assert.Equal(-1, KendallTau.Of([1, 2, 3, 4], [4, 3, 2, 1]));
        Assert.Equal(4 / 6.0, KendallTau.Of([1, 2, 3, 4], [2, 1, 3, 4]), 9);
        Assert.Equal(2 / Math.Sqrt(6), KendallTau.Of([1, 1, 2], [1, 2, 3]), 9);
        Assert.Equal(0, KendallTau.Of([1, 1, 1], [1, 2, 3]));
        Assert.Throws<ArgumentException>(() => KendallTau.Of([1, 2], [1, 2, 3]));
    }

    [Fact]
    public void A_table_beats_another_only_beyond_chance()
    {
        var steady = Trial("steady", 110, 111, 109, 110);
        var other = Trial("other", 100, 100, 100, 100);
        var wild = Trial("wild", 60, 180, 70, 160);

        Assert.True(steady.Beats(other));
        Assert.False(wild.Beats(other));
        Assert.False(other.Beats(other));
        Assert.Equal(0.1, steady.Over(other).Gain, 9);
    }

    [Fact]
    public void Costs_are_fitted_so_that_replays_come_to_what_was_measured()
    {
        // What was "measured" is a replay on a machine three times as slow.
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(hotRecords: 200), 2);
        var settings = new ReplaySettings { Clients = 16, Warmup = 20, Measured = 100 };
        var slow = new ReplayEvaluator(workload, settings with { Costs = settings.Costs.Scaled(3) });
        var tables = new[] { "occ", "dirty-public" }.Select(BuiltinPolicies.Get).ToArray();

        var (costs, error) = CostCalibration.Fit(
            workload,
            settings,
            [
                .. tables.Select(
                    table => new MeasuredTable(table, slow.Evaluate(table, ReplayPart.All, 1).CommittedPerSecond))
            ],
            1);

        Assert.InRange(costs.Access / settings.Costs.Access, 2.7, 3.3);
        Assert.InRange(error, 0, 0.1);
    }

    [Fact]
    public void Where_messages_and_appends_take_time_costs_are_fitted_to_processors_and_the_rest_is_time_under_way()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
        var settings = new ReplaySettings
        {
            Clients = 16, Warmup = 100, Measured = 600, NetworkMicroseconds = 500, AppendMicroseconds = 2_000
        };
        var real = settings with
        {
            Costs = settings.Costs.Scaled(3), NetworkMicroseconds = 1_100, AppendMicroseconds = 2_600
        };
        var occ = BuiltinPolicies.Get("occ");
        var score = new ReplayEvaluator(workload, real).Evaluate(occ, ReplayPart.All, 1);

        var (fitted, error) = LatencyCalibration.Fit(
            workload, settings,
            new(occ, score.CommittedPerSecond) { ProcessorMicroseconds = score.Work.MicrosecondsAt(real.Costs) },
            seed: 1);

        Assert.InRange(fitted.Costs.Access / settings.Costs.Access, 2.8, 3.2);
        Assert.InRange(fitted.NetworkMicroseconds, 1_000, 1_200);
        Assert.Equal(fitted.NetworkMicroseconds + 1_500, fitted.AppendMicroseconds);
        Assert.InRange(error, -0.05, 0.05);
    }

    [Fact]
    public void A_replay_that_is_slower_than_the_cluster_is_given_no_time_back()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
        var settings = new ReplaySettings { Clients = 8, Warmup = 20, Measured = 100, AppendMicroseconds = 2_000 };
        var (fitted, error) = LatencyCalibration.Fit(
            workload, settings, new(BuiltinPolicies.Get("occ"), 1e6) { ProcessorMicroseconds = 100 }, seed: 1);
        Assert.Equal((0, 2_000), (fitted.NetworkMicroseconds, fitted.AppendMicroseconds));
        Assert.InRange(error, double.MinValue, -1);
    }

    [Fact]
    public void What_says_nothing_of_latencies_is_refused()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
        var (occ, late) = (BuiltinPolicies.Get("occ"), new ReplaySettings { NetworkMicroseconds = 1 });
        MeasuredTable Measured(double rate, double processor) => new(occ, rate) { ProcessorMicroseconds = processor };
        Assert.Throws<ArgumentException>(
            () => LatencyCalibration.Fit(workload, new ReplaySettings(), Measured(1, 1), 1));
        Assert.Throws<ArgumentException>(() => LatencyCalibration.Fit(workload, late, Measured(0, 1), 1));
        Assert.Throws<ArgumentException>(() => LatencyCalibration.Fit(workload, late, Measured(1, 0), 1));
    }

    [Fact]
    public void A_trial_replays_held_out_transactions_and_is_the_same_each_time()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
        var evaluator = new ReplayEvaluator(
            workload, new ReplaySettings { Clients = 8, Warmup = 5, Measured = 40, NetworkMicroseconds = 1_000 });
        IPolicyCompiler[] tables = [BuiltinPolicies.Get("occ"), BuiltinPolicies.Get("locking")];

        var trial = HeldOutTrial.Run(evaluator, ScoreObjective.Throughput, tables, 3, 3, 2, CancellationToken.None);

        Assert.Equal(["occ", "locking"], trial.Select(result => result.Name));
        Assert.Equal(
            trial.SelectMany(result => result.Scores),
            HeldOutTrial.Run(evaluator, ScoreObjective.Throughput, tables, 3, 3, 1, CancellationToken.None)
                .SelectMany(result => result.Scores));
    }

    private static TrialResult Trial(string name, params double[] scores) => new(name, scores, []);
}
