using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions;

public class SnapshotHorizonTests
{
    private const long Now = 1_000_000_000;
    private const long Shortest = 50_000;

    private readonly SnapshotHorizon _horizon = new(microsecondsMax: 10_000_000);

    [Fact]
    public void It_reaches_back_a_twentieth_of_a_second_at_first() =>
        Assert.Equal(At(Now - Shortest), _horizon.CutoffAt(Now));

    [Fact]
    public void A_snapshot_that_came_too_late_makes_it_reach_back_twice_as_far()
    {
        _horizon.Missed(At(Now - 300_000), Now);
        Assert.Equal(At(Now - 600_000), _horizon.CutoffAt(Now));
    }

    [Fact]
    public void A_young_snapshot_whose_version_was_one_of_too_many_changes_nothing()
    {
        _horizon.Missed(At(Now - 1_000), Now);
        Assert.Equal(Shortest, _horizon.Microseconds);
    }

    [Fact]
    public void It_never_reaches_back_further_than_a_transaction_may_take()
    {
        _horizon.Missed(At(Now - 9_000_000), Now);
        Assert.Equal(10_000_000, _horizon.Microseconds);
    }

    [Fact]
    public void It_shrinks_again_when_no_snapshot_needs_it()
    {
        _horizon.Missed(At(Now - 300_000), Now);
        var now = Now;
        for (var i = 0; i < 20; i++) _horizon.CutoffAt(now += 10_000_000);
        Assert.Equal(Shortest, _horizon.Microseconds);
    }

    [Fact]
    public void It_is_halved_each_time_that_eight_times_its_length_have_gone_by_without_a_miss()
    {
        _horizon.Missed(At(Now - 300_000), Now);
        var halved = Now;
        foreach (var (length, next) in new[]
        {
            (600_000L, 300_000L), (300_000, 150_000), (150_000, 75_000), (75_000, Shortest)
        })
        {
            Assert.Equal(At(halved + (8 * length) - 1 - length), _horizon.CutoffAt(halved + (8 * length) - 1));
            halved += 8 * length;
            Assert.Equal(At(halved - next), _horizon.CutoffAt(halved));
        }
    }

    [Fact]
    public void A_miss_while_it_is_long_makes_it_last_anew()
    {
        _horizon.Missed(At(Now - 300_000), Now);
        _horizon.Missed(At(Now + 4_000_000 - 700_000), Now + 4_000_000);
        _horizon.CutoffAt(Now + 4_800_000);
        Assert.Equal(1_400_000, _horizon.Microseconds);
    }

    [Fact]
    public void A_snapshot_just_as_old_as_it_reaches_back_changes_nothing()
    {
        _horizon.Missed(At(Now - Shortest), Now);
        Assert.Equal(Shortest, _horizon.Microseconds);
        _horizon.Missed(At(Now - Shortest - 1), Now);
        Assert.Equal(2 * (Shortest + 1), _horizon.Microseconds);
    }

    private static long At(long microseconds) => microseconds << HybridClock.LogicalBits;
}
