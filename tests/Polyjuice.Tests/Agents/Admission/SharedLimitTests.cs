using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class SharedLimitTests
{
    private static readonly NodeId _other = new(2);

    private readonly SharedLimit _limit = new(0.1);
    private long _now = 1;

    // Attempts wait mostly, or work mostly; all conflict, or a few that begin again before the others; and processes
    // may stand still now and then.
    [Theory]
    [InlineData(1, 2_000, 150, 0.03, 1, 0)]
    [InlineData(2, 2_000, 150, 0.03, 1, 0)]
    [InlineData(4, 2_000, 150, 0.03, 1, 0)]
    [InlineData(2, 100, 250, 0.1, 1, 0)]
    [InlineData(4, 500, 200, 0.01, 1, 0)]
    [InlineData(2, 2_000, 150, 0.2, 1, 0)]
    [InlineData(2, 10_000, 50, 0.02, 1, 0)]
    [InlineData(2, 2_000, 150, 0.03, 1, 60_000)]
    [InlineData(2, 500, 200, 0.2, 0.3, 0)]
    [InlineData(2, 500, 200, 0.3, 0.2, 60_000)]
    [InlineData(2, 1_000, 200, 0.5, 0.1, 0)]
    public void Silos_find_what_is_best_for_all(
        int silos, double waits, double works, double conflict, double hot, double stalls)
    {
        LimitCluster Cluster() =>
            new(silos, agree: true)
            {
                Waits = waits, Works = works, Conflict = conflict, HotShare = hot, Stalls = stalls
            };
        var best = new[]
        {
            1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48
        }.Max(limit => Cluster().Run(seconds: 5, fixedAt: limit));
        var cluster = Cluster();
        cluster.Run(seconds: 5);
        Assert.InRange(cluster.Run(seconds: 20), 0.8 * best, 1.02 * best);
    }

    [Fact]
    public void Silos_that_go_by_their_own_commits_alone_drive_each_other_up()
    {
        double Rate(bool agree)
        {
            var cluster = new LimitCluster(silos: 4, agree) { Waits = 500, Works = 200, Conflict = 0.01 };
            cluster.Run(seconds: 10);
            return cluster.Run(seconds: 20);
        }

        Assert.InRange(Rate(agree: true), 1.3 * Rate(agree: false), double.MaxValue);
    }

    [Fact]
    public void Who_hears_a_limit_goes_by_it_until_it_has_heard_nothing_for_long_and_then_goes_on_from_it()
    {
        Assert.True(_limit.Follow(6, share: 0.3, _now));
        Assert.Equal((6, 0.3, true), (_limit.Value, _limit.Share, _limit.IsFollowing));
        Assert.False(_limit.Follow(6, share: 0.2, _now += SharedLimit.LeaseMicroseconds - 1));
        Assert.False(_limit.Tick(_now += SharedLimit.LeaseMicroseconds - 1, interval: 5_000));
        Assert.True(_limit.IsFollowing);
        Assert.False(_limit.Tick(_now += 1, interval: 5_000));
        Assert.Equal((6, 0, false), (_limit.Value, _limit.Share, _limit.IsFollowing));
    }

    [Fact]
    public void Who_finds_the_limit_out_itself_follows_nobody_any_more()
    {
        _limit.Follow(6, share: 0.3, _now);
        Assert.False(_limit.Lead(_now));
        Assert.Equal((6, false, false), (_limit.Value, _limit.IsFollowing, _limit.HasNews));
    }

    [Fact]
    public void What_is_new_is_told_once_and_counts_from_the_beginning()
    {
        _limit.Running(5);
        _limit.Running(3);
        _limit.Held();
        Assert.False(_limit.HasNews);
        _limit.Ended(isConflict: true, _now);
        _limit.Ended(isConflict: false, _now);
        Assert.True(_limit.HasNews);
        Assert.Equal(
            new LimitReport(Commits: 1, Conflicts: 1, Running: 3, Peak: 5, IsBinding: true), _limit.TakeNews());
        Assert.False(_limit.HasNews);
        _limit.Ended(isConflict: false, _now);
        Assert.Equal(
            new LimitReport(Commits: 2, Conflicts: 1, Running: 3, Peak: 3, IsBinding: false), _limit.TakeNews());
    }

    [Fact]
    public void What_others_lose_lowers_the_limit()
    {
        for (var i = 0; i < 40; i++) Hear(commits: 10, conflicts: i * 20, running: 100, peak: 100);
        Assert.InRange(_limit.Value, 1, 16);
    }

    [Fact]
    public void What_comes_late_or_first_says_nothing_new()
    {
        Hear(commits: 1_000, conflicts: 90_000, running: 100, peak: 100);
        for (var i = 0; i < 40; i++) Hear(commits: i, conflicts: i * 20, running: 100, peak: 100);
        Assert.Equal((ConflictLimit.Open, 0), (_limit.Value, _limit.Share));
    }

    [Fact]
    public void Each_silo_in_which_another_table_comes_into_force_has_the_limit_found_out_anew()
    {
        for (var i = 0; i < 40; i++) Hear(commits: 10, conflicts: i * 100, running: 100, peak: 100);
        Assert.InRange(_limit.Value, 1, 8);
        var news = new LimitReport(10, 4_000, 100, 100, IsBinding: true, BeginsAnew: true);
        Assert.True(_limit.Heard(_other, news, _now += 5_000));
        Assert.Equal(16, _limit.Value);

        var follower = new SharedLimit(0.1);
        follower.Follow(3, share: 0.5, _now);
        Assert.False(follower.BeginAnew(_now));
        Assert.Equal((3, true), (follower.Value, follower.HasNews));
        Assert.True(follower.TakeNews().BeginsAnew);
        Assert.False(follower.TakeNews().BeginsAnew);
    }

    [Fact]
    public void A_limit_that_others_need_stays_when_nothing_is_held_here()
    {
        for (var i = 0; i < 40; i++) Hear(commits: 10, conflicts: i * 20, running: 100, peak: 100);
        var limit = _limit.Value;
        _limit.Reset();
        Assert.Equal(limit, _limit.Value);
        _limit.Tick(_now += SharedLimit.LeaseMicroseconds, interval: 5_000);
        _limit.Reset();
        Assert.Equal(ConflictLimit.Open, _limit.Value);
    }

    private void Hear(long commits, long conflicts, int running, int peak) =>
        _limit.Heard(_other, new LimitReport(commits, conflicts, running, peak, IsBinding: true), _now += 5_000);
}
