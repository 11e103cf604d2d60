using Polyjuice.Tests.Agents;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Wire;

public sealed class HybridClockTests
{
    private readonly ManualHost _host = new() { UtcMicroseconds = 1_000_000 };

    [Fact]
    public void Ticks_only_grow_even_when_the_wall_clock_jumps_back()
    {
        var clock = new HybridClock(_host, 500);
        var last = clock.Tick();
        Assert.Equal(1_000_000L << HybridClock.LogicalBits, last);
        foreach (var time in new[] { 1_000_000L, 900_000, 1_000_001, 5 })
        {
            _host.UtcMicroseconds = time;
            var next = clock.Tick();
            Assert.True(next > last);
            last = next;
        }
    }

    [Fact]
    public void A_lead_within_the_skew_is_taken_over_and_one_above_it_is_refused()
    {
        var clock = new HybridClock(_host, 500);
        var ahead = 1_000_500L << HybridClock.LogicalBits;
        Assert.False(clock.TryAccept(ahead + 1));
        Assert.Equal(0, clock.Last);
        Assert.True(clock.TryAccept(ahead));
        Assert.Equal(ahead, clock.Last);
        Assert.True(clock.Tick() > ahead);
        Assert.True(clock.TryAccept(5));
        Assert.True(clock.Last > ahead);
    }

    [Fact]
    public void What_it_has_chosen_itself_comes_back_however_far_it_leads()
    {
        var clock = new HybridClock(_host, 500);
        var ahead = 2_000_000L << HybridClock.LogicalBits;
        clock.Raise(ahead);
        Assert.True(clock.TryAccept(ahead));
        Assert.False(clock.TryAccept(ahead + 1));
        Assert.Equal(ahead, clock.Last);
        Assert.Equal(1_000_000L << HybridClock.LogicalBits, clock.Physical);
    }

    [Fact]
    public void The_wait_for_a_timestamp_ends_when_the_wall_clock_has_passed_it()
    {
        var clock = new HybridClock(_host, 500);
        var later = 1_000_010L << HybridClock.LogicalBits;
        Assert.Equal(11, clock.MicrosecondsUntil(later));
        _host.UtcMicroseconds = 1_000_011;
        Assert.Equal(0, clock.MicrosecondsUntil(later));
        clock.Raise(later);
        clock.Raise(1);
        Assert.Equal(later, clock.Last);
    }
}
