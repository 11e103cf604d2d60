using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Tests.Events;

public sealed class VirtualTimeTests
{
    private const long HourMicroseconds = 3_600_000_000;

    private readonly EventLoop _loop = new();
    private readonly VirtualTime _time;

    public VirtualTimeTests() => _time = new VirtualTime(_loop);

    [Fact]
    public void A_delay_takes_as_much_virtual_time_and_no_more_events_than_one()
    {
        var (began, at) = (_time.GetUtcNow(), _time.GetTimestamp());
        new ClientTurn(_loop).Run(() => Task.Delay(TimeSpan.FromMinutes(10), _time), HourMicroseconds);
        Assert.Equal(600_000_000, _loop.Now);
        Assert.Equal(TimeSpan.FromMinutes(10), _time.GetUtcNow() - began);
        Assert.Equal(TimeSpan.FromMinutes(10), _time.GetElapsedTime(at));
        Assert.Equal(1, _loop.EventsRun);
    }

    [Fact]
    public void A_timer_ticks_at_its_period_until_it_is_disposed()
    {
        var ticks = new List<long>();
        var timer = Tick(ticks, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(1));
        _loop.RunFor(4_500_000);
        timer.Dispose();
        _loop.RunFor(10_000_000);
        Assert.Equal([2_000_000, 3_000_000, 4_000_000], ticks);
        Assert.False(timer.Change(TimeSpan.Zero, TimeSpan.Zero));
    }

    [Fact]
    public void A_timer_that_is_changed_is_due_at_the_new_time_only()
    {
        var ticks = new List<long>();
        using var timer = Tick(ticks, TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan);
        timer.Change(TimeSpan.FromSeconds(5), Timeout.InfiniteTimeSpan);
        _loop.RunFor(10_000_000);
        timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _loop.RunFor(10_000_000);
        Assert.Equal([5_000_000], ticks);
    }

    [Fact]
    public void A_cancelled_delay_ends_at_once()
    {
        using var end = new CancellationTokenSource(TimeSpan.FromSeconds(1), _time);
        var delay = Task.Delay(TimeSpan.FromHours(10), _time, end.Token);
        new ClientTurn(_loop).Run(() => Assert.ThrowsAsync<TaskCanceledException>(() => delay), HourMicroseconds);
        Assert.Equal(1_000_000, _loop.Now);
    }

    private ITimer Tick(List<long> ticks, TimeSpan due, TimeSpan period) =>
        _time.CreateTimer(_ => ticks.Add(_loop.Now), null, due, period);
}
