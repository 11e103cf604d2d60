using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Agents;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class ConflictLimitTests
{
    private const int Clients = 256;
    private const double Target = 0.1;

    private readonly ConflictLimit _limit = new(Target);
    private readonly Random _random = new(7);
    private long _now = 1;

    [Fact]
    public void It_holds_nobody_while_there_are_no_conflicts()
    {
        Run(20_000, running => (500.0 / Math.Min(running, 2), 0));
        Assert.Equal(ConflictLimit.Open, _limit.Value);
    }

    [Fact]
    public void A_few_conflicts_are_nothing_to_hold_anybody_for()
    {
        Run(20_000, running => (500.0 / Math.Min(running, 2), Target / 2));
        Assert.Equal(ConflictLimit.Open, _limit.Value);
    }

    [Fact]
    public void Where_attempts_abort_each_other_it_comes_down_to_what_the_data_can_take()
    {
        Run(10_000, Thrashing);
        var rate = Run(40_000, Thrashing);
        var best = 1e6 / 500 * 2 * Math.Exp(-0.2);
        Assert.InRange(rate, 0.75 * best, best);
        Assert.InRange(_limit.Value, 1, 8);
    }

    // What an attempt takes is waiting, not work: twice as many
    // that run end twice as often, until they abort each other.
    [Fact]
    public void Where_attempts_mostly_wait_it_lets_more_of_them_run()
    {
        (double, double) Waiting(int running) => (10_000.0 / running, 1 - Math.Exp(-0.02 * (running - 1)));
        Run(20_000, Waiting);
        var rate = Run(60_000, Waiting);
        var best = 1e6 / 10_000 * 50 * Math.Exp(-0.02 * 49);
        Assert.InRange(rate, 0.75 * best, best);
        Assert.InRange(_limit.Value, 16, 120);
    }

    [Theory]
    [InlineData(0.3)]
    [InlineData(0.5)]
    [InlineData(0.6)]
    [InlineData(0.7)]
    [InlineData(0.8)]
    [InlineData(0.85)]
    [InlineData(0.9)]
    public void Conflicts_that_no_limit_makes_rarer_are_no_reason_for_one(double conflicts)
    {
        var (rate, free) = RunElsewhere(conflicts, ends: 80_000);
        Assert.InRange(rate, 0.7 * free, free * 1.05);
    }

    [Fact]
    public void It_rises_soon_when_the_conflicts_are_over_also_where_little_ends()
    {
        _limit.StartAt(2, _now, 2);
        Run(200, static running => (20_000.0 / running, 0));
        Assert.True(_limit.Value >= 16, $"{_limit.Value} may run");
    }

    [Fact]
    public void It_opens_again_when_the_conflicts_are_over()
    {
        Run(20_000, Thrashing);
        Assert.InRange(_limit.Value, 1, 8);
        Run(20_000, running => (500.0 / Math.Min(running, 2), 0));
        Assert.True(_limit.Value >= Clients, $"{_limit.Value} may run");
    }

    [Fact]
    public void Open_it_stays_open_when_one_that_it_held_before_is_followed_by_none_that_conflicts()
    {
        // One was held by a limit that is open now: in that window it seems to be what bounds the load.
        _limit.Held();
        for (var i = 0; i < 1_000; i++) _limit.Ended(commits: 1, conflicts: 0, _now += 100, new SharedLoad(4, 1));
        Assert.Equal(ConflictLimit.Open, _limit.Value);
    }

    [Fact]
    public void Whatever_comes_in_whatever_order_one_may_run() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var limit = new ConflictLimit(Target);
            var now = 1L;
            for (var phase = 0; phase < 40; phase++)
            {
                var (conflicts, running) = (random.NextDouble() < 0.5 ? 0 : random.NextDouble(), random.Next(0, 600));
                if (random.Next(4) == 0) limit.Held();
                if (random.Next(20) == 0) limit.Reset();
                if (random.Next(20) == 0) limit.Resumed(now, running);
                if (random.Next(20) == 0) limit.Stalled(now - random.Next(0, 10_000), now);
                limit.Running(running);
                for (var i = 0; i < 200; i++)
                {
                    var lost = random.NextDouble() < conflicts ? 1 : 0;
                    limit.Ended(
                        1 - lost, lost, now += random.Next(1, 2_000), new SharedLoad(running, random.Next(1, 4)));
                    Assert.True(limit.Value >= 1, $"{limit.Value} may run");
                }
            }
        }).Holds();

    [Fact]
    public void Reset_holds_nobody()
    {
        Run(20_000, Thrashing);
        _limit.Reset();
        Assert.Equal(ConflictLimit.Open, _limit.Value);
    }

    // With the former table nothing but one at a time got on; with this one attempts do not conflict.
    [Theory]
    [InlineData(false, 1, 4)]
    [InlineData(true, 64, ConflictLimit.Open)]
    public void What_was_found_out_under_a_former_table_holds_the_next_one_down_unless_it_begins_anew(
        bool begins, int least, int most)
    {
        Run(40_000, static running => (1_000, running > 1 ? 0.99 : 0));
        Assert.InRange(_limit.Value, 1, 2);
        if (begins)
        {
            Assert.True(_limit.BeginAnew(_now, running: 1));
            Assert.Equal(16, _limit.Value);
        }

        Run(1_000, static running => (10_000.0 / running, 0));

        Assert.InRange(_limit.Value, least, most);
    }

    [Fact]
    public void An_open_limit_stays_open_when_another_table_comes_into_force()
    {
        Run(1_000, running => (500.0 / Math.Min(running, 2), 0));
        Assert.False(_limit.BeginAnew(_now, Clients));
        Assert.Equal(ConflictLimit.Open, _limit.Value);
    }

    // Two processors, and data of which each further attempt spoils
    // a fifth of the others': 0.82 of two commit, and of 256 none.
    private static (double Interval, double Conflicts) Thrashing(int running) =>
        (500.0 / Math.Min(running, 2), 1 - Math.Exp(-0.2 * (running - 1)));

    /// <summary>
    /// Conflicts with transactions that the limit does not hold: as many, however
    /// many run. Gives commits a second, and what they would be without a limit.
    /// </summary>
    private (double Rate, double Free) RunElsewhere(double conflicts, int ends)
    {
        (double, double) Elsewhere(int running) => (10_000.0 / running, conflicts);
        Run(20_000, Elsewhere);
        return (Run(ends, Elsewhere), 1e6 / 10_000 * Clients * (1 - conflicts));
    }

    /// <summary>
    /// A closed loop of clients, each of which has an attempt that runs or is held; gives commits a second.
    /// </summary>
    /// <param name="ends">Attempts that end.</param>
    /// <param name="behaviour">
    /// By how many run: microseconds from one end to the next, and the share that conflicts abort.
    /// </param>
    private double Run(int ends, Func<int, (double Interval, double Conflicts)> behaviour)
    {
        var commits = 0;
        var start = _now;
        var time = (double)_now;
        for (var i = 0; i < ends; i++)
        {
            var running = Math.Min(Clients, _limit.Value);
            _limit.Running(running);
            if (running < Clients) _limit.Held();
            var (interval, conflicts) = behaviour(running);
            time += interval * (0.5 + _random.NextDouble());
            _now = (long)time;
            var isConflict = _random.NextDouble() < conflicts;
            if (!isConflict) commits++;
            _limit.Ended(isConflict ? 0 : 1, isConflict ? 1 : 0, _now, new SharedLoad(running, 1));
        }

        return commits * 1e6 / (_now - start);
    }
}
