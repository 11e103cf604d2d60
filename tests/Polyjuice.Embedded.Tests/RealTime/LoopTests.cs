using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Embedded.RealTime;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class LoopTests : IDisposable
{
    private readonly RealTimeLoop _loop;
    private readonly TaskCompletionSource _flushed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _flushes;

    public LoopTests()
    {
        _loop = new RealTimeLoop(LoopWorkers.Shared, Flush, static () => false, NullLogger.Instance);
        _loop.Start();
    }

    public void Dispose() => _loop.Stop();

    [Fact]
    public async Task No_wake_up_is_lost_between_many_producers_and_a_loop_that_keeps_falling_asleep()
    {
        var count = 0;
        await Parallel.ForAsync(0, 8, async (_, _) =>
        {
            // Each waits for its item, so that the loop idles and parks over and over.
            for (var i = 0; i < 500; i++)
            {
                await _loop.RunAsync(() =>
                {
                    count++;
                    return Task.CompletedTask;
                }).WaitAsync(TimeSpan.FromMinutes(2));
                if (i % 50 == 0) await Task.Yield();
            }
        });
        Assert.Equal(4_000, count);
    }

    [Fact]
    public async Task Work_that_was_begun_goes_before_new_work()
    {
        var order = new List<string>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await _loop.RunAsync(() =>
        {
            _loop.PostNew(_ => order.Add("new 1"), null);
            _loop.PostNew(
                _ =>
                {
                    order.Add("new 2");
                    _loop.Post(_ => order.Add("begun by new 2"), null);
                },
                null);
            _loop.PostNew(_ =>
            {
                order.Add("new 3");
                done.SetResult();
            }, null);
            _loop.Post(_ => order.Add("begun"), null);
            return Task.CompletedTask;
        });
        await done.Task.WaitAsync(TimeSpan.FromMinutes(2));
        Assert.Equal(["begun", "new 1", "new 2", "begun by new 2", "new 3"], order);
    }

    [Fact]
    public async Task Timers_run_in_the_order_in_which_they_are_due()
    {
        var order = new List<int>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await _loop.RunAsync(() =>
        {
            var now = Clock.UtcMicroseconds;
            _loop.Schedule(now + 6_000, _ => done.SetResult(), null);
            _loop.Schedule(now + 3_000, _ => order.Add(2), null);
            _loop.Schedule(now + 300, _ => order.Add(1), null);
            _loop.Schedule(now + 3_000, _ => order.Add(3), null);
            return Task.CompletedTask;
        });
        await done.Task.WaitAsync(TimeSpan.FromMinutes(2));
        Assert.Equal([1, 2, 3], order);
    }

    [Fact]
    public async Task Awaits_come_back_to_the_loop()
    {
        var cameBack = await _loop.RunAsync(async () =>
        {
            await Task.Run(static () => { });
            return _loop.IsCurrent;
        });
        Assert.True(cameBack);
        Assert.False(_loop.IsCurrent);
    }

    [Fact]
    public async Task A_work_item_that_throws_does_not_end_the_loop()
    {
        _loop.Post(_ => throw new InvalidOperationException("on purpose"), null);
        Assert.Equal(1, await _loop.RunAsync(() => Task.FromResult(1)));
    }

    [Fact]
    public async Task Whoever_waits_for_a_loop_that_has_ended_is_told()
    {
        _loop.Stop();
        await _loop.Ended.WaitAsync(TimeSpan.FromMinutes(2));
        await Assert.ThrowsAsync<SiloUnavailableException>(() => _loop.RunAsync(() => Task.CompletedTask));
    }

    [Fact]
    public async Task A_batch_of_work_is_followed_by_a_flush()
    {
        await _loop.RunAsync(() => Task.CompletedTask);
        await _loop.RunAsync(() => Task.CompletedTask);

        // Both may be done in one batch, and are over before the flush behind it.
        await _flushed.Task.WaitAsync(TimeSpan.FromMinutes(2));
        Assert.True(Volatile.Read(ref _flushes) >= 1);
    }

    private void Flush()
    {
        Interlocked.Increment(ref _flushes);
        _flushed.TrySetResult();
    }
}
