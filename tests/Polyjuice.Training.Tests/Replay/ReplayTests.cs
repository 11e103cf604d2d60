using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Tests.Replay;

public sealed class ReplayTests
{
    private static readonly ReplaySettings s_settings = new()
    {
        Clients = 32, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 50, Measured = 200
    };

    [Fact]
    public void The_same_seed_gives_the_same_run_event_for_event_and_another_seed_another_one()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);

        var first = Run(workload, "ic3", s_settings, 1);

        Assert.Equal(first, Run(workload, "ic3", s_settings, 1));
        Assert.NotEqual(first.Digest, Run(workload, "ic3", s_settings, 2).Digest);
    }

    [Fact]
    public void Two_replays_at_a_time_come_to_what_each_comes_to_alone()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
        var alone = Enumerable.Range(0, 4).Select(seed => Run(workload, "dirty-public", s_settings, (ulong)seed))
            .ToArray();
        var together = new ReplayScore[alone.Length];

        Parallel.For(
            0,
            together.Length,
            new ParallelOptions { MaxDegreeOfParallelism = 2 },
            seed => together[seed] = Run(workload, "dirty-public", s_settings, (ulong)seed));

        Assert.Equal(alone, together);
    }

    [Theory]
    [InlineData("occ")]
    [InlineData("locking")]
    [InlineData("2pl-star")]
    [InlineData("2pl-wound-wait")]
    [InlineData("ic3")]
    [InlineData("callas")]
    [InlineData("cormcc")]
    [InlineData("dirty-public")]
    public void Every_kind_of_table_is_replayed_to_its_end(string policy)
    {
        var score = Run(ReplayWorkload.Of(SyntheticTraces.Micro(), 2), policy, s_settings, 1);

        Assert.Equal(s_settings.Measured, score.Committed);
        Assert.False(score.IsCut);
        Assert.True(score.CommittedPerSecond > 0);
        Assert.InRange(score.P50Microseconds, 2 * s_settings.NetworkMicroseconds, score.P99Microseconds);
    }

    [Fact]
    public void Who_meets_nobody_is_bound_by_messages_and_appends_whatever_the_table()
    {
        // One client: a request, four calls of which some are remote, a prepare and an append at least, and an answer.
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
        var settings = s_settings with { Clients = 1 };

        var occ = Run(workload, "occ", settings, 1);
        var locking = Run(workload, "locking", settings, 1);

        Assert.InRange(occ.P50Microseconds, 2 * 1_000 + 5_000, 20_000);
        Assert.InRange(locking.CommittedPerSecond / occ.CommittedPerSecond, 0.95, 1.05);
        Assert.Equal(0, occ.AbortedShare);
    }

    [Fact]
    public void Work_waits_for_processors_which_serve_it_in_order()
    {
        // No latencies and work that costs a hundred times as much: processors are all that is waited for.
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(hotRecords: 500), 2);
        var settings = s_settings with
        {
            NetworkMicroseconds = 0, AppendMicroseconds = 0, Costs = new ReplayCosts().Scaled(100)
        };

        var one = Run(workload, "occ", settings, 1);
        var half = Run(workload, "occ", settings with { Costs = settings.Costs.Scaled(2) }, 1);
        var four = Run(workload, "occ", settings with { CoresPerSilo = 4 }, 1);

        Assert.InRange(one.CommittedPerSecond / half.CommittedPerSecond, 1.7, 2.3);
        Assert.InRange(four.CommittedPerSecond / one.CommittedPerSecond, 2, 4.5);
    }

    [Fact]
    public void Where_all_meet_at_one_record_a_table_that_hands_it_on_makes_more_than_one_that_locks()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(hotRecords: 1), 2);

        Assert.True(
            Run(
                workload, "dirty-public", s_settings,
                1).CommittedPerSecond > 2 * Run(workload, "locking", s_settings, 1).CommittedPerSecond);
    }

    [Fact]
    public void What_the_application_refused_is_refused_again_and_what_the_system_gave_up_is_left_out()
    {
        var trace = SyntheticTraces.WithRefusals(400);
        var workload = ReplayWorkload.Of(trace, 1);

        Assert.Equal(360, workload.Count);
        Assert.Equal(40, workload.Programs.Count(program => program.IsRefused));
        Assert.Equal(200, Run(workload, "locking", s_settings with { Silos = 1 }, 1).Committed);
    }

    [Fact]
    public void A_hopeless_table_is_cut_and_judged_by_what_it_has_done()
    {
        var score = Run(ReplayWorkload.Of(SyntheticTraces.Micro(), 2), "occ", s_settings with { EventsMax = 4_000 }, 1);

        Assert.True(score.IsCut);
        Assert.InRange(score.Events, 4_000, 4_001);
    }

    [Fact]
    public void A_trace_that_is_too_short_is_refused()
    {
        var error = Assert.Throws<ArgumentException>(() => ReplayWorkload.Of(SyntheticTraces.Micro(30), 2));

        Assert.Contains("Record for longer", error.Message, StringComparison.Ordinal);
    }

    private static ReplayScore Run(ReplayWorkload workload, string policy, ReplaySettings settings, ulong seed) =>
        ReplayCluster.Run(workload, BuiltinPolicies.Get(policy), settings, ReplayPart.All, seed);
}
