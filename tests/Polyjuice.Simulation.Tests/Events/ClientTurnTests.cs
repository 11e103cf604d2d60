using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Tests.Events;

public sealed class ClientTurnTests
{
    private readonly EventLoop _loop = new();
    private readonly VirtualTime _time;
    private readonly ClientTurn _turn;

    public ClientTurnTests() => (_time, _turn) = (new VirtualTime(_loop), new ClientTurn(_loop));

    [Fact]
    public void Scripts_side_by_side_take_turns_in_the_order_of_their_delays()
    {
        var order = new List<string>();
        _turn.Run(() => Task.WhenAll(Say("late", 3), Say("early", 1)), 10_000_000);
        Assert.Equal(["early 1", "early 2", "late 3", "late 6"], order);

        async Task Say(string name, int seconds)
        {
            for (var i = 1; i <= 2; i++)
            {
                await Task.Delay(TimeSpan.FromSeconds(seconds), _time);
                Assert.Same(_turn, SynchronizationContext.Current);
                order.Add($"{name} {_loop.Now / 1_000_000}");
            }
        }
    }

    [Fact]
    public void What_a_script_throws_is_thrown()
    {
        var failure = Assert.Throws<IOException>(() => _turn.Run(
            async () =>
            {
                await Task.Delay(TimeSpan.FromSeconds(1), _time);
                throw new IOException("on purpose");
            },
            10_000_000));
        Assert.Equal("on purpose", failure.Message);
    }

    [Fact]
    public void An_exception_that_nobody_awaits_ends_the_run()
    {
        var failure = Assert.Throws<IOException>(() => _turn.Run(
            () =>
            {
                _turn.Post(static _ => throw new IOException("on purpose"), null);
                return Task.Delay(TimeSpan.FromSeconds(1), _time);
            },
            10_000_000));
        Assert.Equal("on purpose", failure.Message);
    }

    [Fact]
    public void A_script_that_waits_for_no_event_of_the_loop_is_told_so()
    {
        var failure = Assert.Throws<SimulationFailedException>(
            () => _turn.Run(() => Task.Delay(TimeSpan.FromDays(1)), 10_000_000));
        Assert.Equal("progress", failure.Kind);
        Assert.Contains("a real timer", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_script_that_never_ends_is_stopped_by_the_bound()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _turn.Run(
            async () =>
            {
                while (true) await Task.Delay(TimeSpan.FromMilliseconds(100), _time);
            },
            2_000_000));
        Assert.Equal("progress", failure.Kind);
        Assert.InRange(_loop.Now, 1_900_000, 2_000_000);
    }
}
