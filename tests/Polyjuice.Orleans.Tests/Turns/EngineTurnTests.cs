using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Tests.Turns;

public sealed class EngineTurnTests
{
    [Fact]
    public void One_thread_cannot_enter_twice()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        using (turn.Enter())
        {
            Assert.True(turn.IsCurrent);
            Assert.Throws<LockRecursionException>(() => turn.Enter().Dispose());
        }

        Assert.False(turn.IsCurrent);
    }

    [Fact]
    public void What_is_posted_on_the_turn_runs_before_it_is_left_and_in_order()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var order = new List<int>();
        using (turn.Enter())
        {
            turn.Post(_ => order.Add(1), null);
            turn.Post(_ => order.Add(2), null);
            Assert.Empty(order);
        }

        Assert.Equal([1, 2], order);
    }

    [Fact]
    public async Task What_is_posted_from_elsewhere_runs_on_the_turn()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var ran = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        turn.Post(_ => ran.SetResult(turn.IsCurrent), null);
        Assert.True(await ran.Task);
    }

    [Fact]
    public async Task An_await_on_the_turn_comes_back_to_it()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var outside = new TaskCompletionSource();
        var isBack = false;
        var task = turn.RunAsync(async () =>
        {
            await outside.Task;
            isBack = turn.IsCurrent;
        });
        outside.SetResult();
        await task;
        Assert.True(isBack);
    }

    [Fact]
    public void A_thread_is_on_the_turn_of_one_engine_at_the_most()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        using var other = new EngineTurn(NullLogger.Instance);
        using (turn.Enter()) Assert.Throws<LockRecursionException>(() => other.Enter().Dispose());
        using (turn.Enter(new GrainTurn(turn, TaskScheduler.Default)))
            Assert.Throws<LockRecursionException>(() => other.Enter().Dispose());
        using (other.Enter()) Assert.True(other.IsCurrent);
    }

    [Fact]
    public async Task What_is_scheduled_runs_on_the_turn_when_nobody_else_comes()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var ran = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using (turn.Enter()) turn.Schedule(500, _ => ran.SetResult(turn.IsCurrent), null);
        Assert.True(await ran.Task);
    }

    [Fact]
    public async Task What_is_scheduled_runs_also_after_a_timer_that_came_too_late_for_what_it_was_for()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        turn.AfterFlush = () => fired.TrySetResult();
        var hasRun = false;
        using (turn.Enter()) turn.Schedule(100, _ => hasRun = true, null);
        while (!Volatile.Read(ref hasRun)) turn.Enter().Dispose();
        await fired.Task;

        var ran = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using (turn.Enter()) turn.Schedule(500, _ => ran.SetResult(), null);
        await ran.Task.WaitAsync(TimeSpan.FromMinutes(2));
    }

    [Fact]
    public async Task A_flush_that_is_asked_for_often_comes_once()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var flushes = 0;
        var after = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        turn.Flush = () => flushes++;
        turn.AfterFlush = () => after.TrySetResult();
        using (turn.Enter())
        {
            turn.RequestFlush();
            turn.RequestFlush();
        }

        await after.Task;
        Assert.Equal(1, flushes);
    }

    [Fact]
    public async Task Work_that_fails_does_not_stop_the_turn()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var ran = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        turn.Post(_ => throw new InvalidOperationException("no"), null);
        turn.Post(_ => ran.SetResult(), null);
        await ran.Task;
    }

    [Fact]
    public void A_turn_that_was_disposed_of_can_still_be_entered_and_left()
    {
        var turn = new EngineTurn(NullLogger.Instance);
        var ran = 0;
        using (turn.Enter()) turn.Schedule(1_000_000, _ => ran++, null);
        turn.Dispose();
        using (turn.Enter()) turn.Schedule(1, _ => ran++, null);
        using (turn.Enter()) turn.Post(_ => ran += 10, null);
        Assert.Equal(10, ran);
    }

    [Fact]
    public async Task Threads_exclude_each_other()
    {
        using var turn = new EngineTurn(NullLogger.Instance);
        var inside = 0;
        var worst = 0;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (var i = 0; i < 5_000; i++)
            {
                using (turn.Enter())
                {
                    worst = Math.Max(worst, Interlocked.Increment(ref inside));
                    Interlocked.Decrement(ref inside);
                }
            }
        })));
        Assert.Equal(1, worst);
    }
}
