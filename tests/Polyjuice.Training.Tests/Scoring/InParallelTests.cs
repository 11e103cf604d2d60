using System.Collections.Concurrent;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Tests.Scoring;

public sealed class InParallelTests
{
    [Fact]
    public void A_failure_comes_out_as_it_was_thrown() =>
        Assert.Equal(
            "broken",
            Assert.Throws<ReplayFailedException>(
                () => InParallel.For(4, 2, i => { if (i == 2) throw new ReplayFailedException("broken"); })).Message);

    [Fact]
    public void Each_number_is_run_once()
    {
        var runs = new int[50];

        InParallel.For(runs.Length, 3, i => Interlocked.Increment(ref runs[i]));

        Assert.All(runs, count => Assert.Equal(1, count));
    }

    [Fact]
    public void Nothing_runs_on_the_thread_pool_and_no_more_at_a_time_than_was_said()
    {
        var (caller, now) = (Environment.CurrentManagedThreadId, 0);
        var seen = new ConcurrentBag<(int Now, bool IsOwn)>();
        using var together = new Barrier(3);

        InParallel.For(6, 3, _ =>
        {
            seen.Add(
                (Interlocked.Increment(ref now), Environment.CurrentManagedThreadId == caller
                    || !Thread.CurrentThread.IsThreadPoolThread));
            together.SignalAndWait();
            Interlocked.Decrement(ref now);
        });

        Assert.Equal(6, seen.Count);
        Assert.Equal(3, seen.Max(one => one.Now));
        Assert.All(seen, one => Assert.True(one.IsOwn));
    }

    [Fact]
    public void What_is_given_up_begins_no_more()
    {
        using var ending = new CancellationTokenSource();
        var runs = 0;

        Assert.Throws<OperationCanceledException>(() => InParallel.For(10, 1, _ =>
        {
            if (++runs == 3) ending.Cancel();
        }, ending.Token));

        Assert.Equal(3, runs);
    }
}
