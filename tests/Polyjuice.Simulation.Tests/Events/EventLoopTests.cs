using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Tests.Events;

public class EventLoopTests
{
    [Fact]
    public void Events_of_one_instant_run_as_queued_and_flushes_last()
    {
        var loop = new EventLoop();
        var order = new List<string>();
        loop.Queue(10, EventKind.Flush, 0, () => order.Add("flush"));
        loop.Queue(10, EventKind.Timer, 0, () => order.Add("first"));
        loop.Queue(10, EventKind.Turn, 0, () => order.Add("second"));
        loop.Queue(5, EventKind.Turn, 0, () => order.Add("earlier"));
        loop.RunFor(10);
        Assert.Equal(["earlier", "first", "second", "flush"], order);
        Assert.Equal(10, loop.Now);
    }

    [Fact]
    public void The_digest_tells_other_bytes_and_other_times_apart()
    {
        ulong Digest(long delay, byte content)
        {
            var loop = new EventLoop();
            loop.Note([1, 2, 3, 4, 5, 6, 7, 8, 9, content]);
            loop.Queue(delay, EventKind.Timer, 7, () => { });
            loop.Step();
            return loop.Digest;
        }

        Assert.Equal(Digest(3, 1), Digest(3, 1));
        Assert.NotEqual(Digest(3, 1), Digest(4, 1));
        Assert.NotEqual(Digest(3, 1), Digest(3, 2));
    }

    [Fact]
    public void Background_events_do_not_keep_a_loop_from_rest()
    {
        var loop = new EventLoop();
        void Again() => loop.Queue(5, EventKind.Directory, 0, Again, background: true);
        Again();
        loop.Queue(20, EventKind.Timer, 0, () => { });
        Assert.False(loop.IsIdle);
        Assert.True(loop.RunUntil(() => loop.IsIdle, 100));
        Assert.Equal(20, loop.Now);
    }

    [Fact]
    public void Time_that_does_not_pass_is_a_livelock()
    {
        var loop = new EventLoop();
        void Again() => loop.Queue(0, EventKind.Turn, 0, Again);
        Again();
        Assert.Equal("livelock", Assert.Throws<SimulationFailedException>(() => loop.RunFor(1)).Kind);
    }

    [Fact]
    public void What_another_thread_queues_ends_the_run()
    {
        var loop = new EventLoop();
        var thread = new Thread(() => loop.Queue(0, EventKind.Turn, 0, () => { }));
        thread.Start();
        thread.Join();
        var failure = Assert.Throws<SimulationFailedException>(() => loop.Step());
        Assert.Equal("off-turn", failure.Kind);
        Assert.Contains(nameof(What_another_thread_queues_ends_the_run), failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Time_passes_without_any_event()
    {
        var loop = new EventLoop();
        loop.RunFor(60_000_000);
        Assert.Equal(60_000_000, loop.Now);
    }
}
