using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Embedded.RealTime;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class LoopWorkersTests : IDisposable
{
    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(2);
    private readonly List<RealTimeLoop> _loops = [];
    private readonly ManualResetEventSlim _unblock = new();

    public void Dispose()
    {
        _unblock.Set();
        foreach (var loop in _loops) loop.Stop();
    }

    [Fact]
    public async Task Loops_that_block_their_threads_do_not_hold_up_another()
    {
        var workers = new LoopWorkers(1, clientPatience: 300);
        for (var i = 0; i < 3; i++) await Block(NewLoop(workers));
        var other = NewLoop(workers);
        Assert.Equal(1, await other.RunAsync(static () => Task.FromResult(1)).WaitAsync(s_bound));
        Assert.InRange(workers.Count, 2, 4);
    }

    [Fact]
    public async Task Threads_that_were_added_for_loops_that_blocked_end_when_those_go_on()
    {
        var workers = new LoopWorkers(1, clientPatience: 300);
        var blocked = NewLoop(workers);
        await Block(blocked);
        var other = NewLoop(workers);
        await other.RunAsync(static () => Task.CompletedTask).WaitAsync(s_bound);
        Assert.Equal(2, workers.Count);
        _unblock.Set();
        await blocked.RunAsync(static () => Task.CompletedTask).WaitAsync(s_bound);
        Assert.True(SpinWait.SpinUntil(() => workers.Count == 1, s_bound));
        Assert.Equal(1, await other.RunAsync(static () => Task.FromResult(1)).WaitAsync(s_bound));
    }

    [Fact]
    public async Task Threads_that_were_added_end_though_there_is_always_something_to_do()
    {
        var workers = new LoopWorkers(1, clientPatience: 300);
        var blocked = NewLoop(workers);
        await Block(blocked);
        for (var i = 0; i < 3; i++) KeepBusy(NewLoop(workers), static () => { });
        Assert.True(SpinWait.SpinUntil(() => workers.Count == 2, s_bound));
        _unblock.Set();
        Assert.True(SpinWait.SpinUntil(() => workers.Count == 1, s_bound));
        await blocked.RunAsync(static () => Task.CompletedTask).WaitAsync(s_bound);
    }

    [Fact]
    public void No_thread_is_added_for_loops_that_wait_while_none_is_blocked()
    {
        var workers = new LoopWorkers(1, clientPatience: 300, isWatched: false);
        var batches = 0;
        for (var i = 0; i < 3; i++) KeepBusy(NewLoop(workers), () => Interlocked.Increment(ref batches));
        for (var look = 0; look < 50; look++)
        {
            workers.Relieve(Clock.UtcMicroseconds + 1_000_000, patience: 10_000, wasHeldUp: false);
            var seen = Volatile.Read(ref batches);
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref batches) > seen + 3, s_bound));
        }

        Assert.Equal(1, workers.Count);
    }

    [Fact]
    public async Task Who_was_held_up_like_the_workers_adds_none()
    {
        var workers = new LoopWorkers(1, clientPatience: 300, isWatched: false);
        await Block(NewLoop(workers));
        var other = NewLoop(workers);
        for (var look = 0; look < 3; look++) Look(wasHeldUp: true);
        Assert.Equal(1, workers.Count);
        Look(wasHeldUp: false);
        Assert.Equal(2, workers.Count);
        await other.RunAsync(static () => Task.CompletedTask).WaitAsync(s_bound);

        void Look(bool wasHeldUp) => workers.Relieve(Clock.UtcMicroseconds + 1_000_000, patience: 10_000, wasHeldUp);
    }

    [Fact]
    public async Task A_timer_of_an_idle_loop_fires_while_the_only_usual_worker_is_blocked()
    {
        var workers = new LoopWorkers(1, clientPatience: 300);
        var idle = NewLoop(workers);
        var blocked = NewLoop(workers);
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await idle.RunAsync(() =>
        {
            idle.Schedule(Clock.UtcMicroseconds + 20_000, _ => fired.SetResult(), null);
            return Task.CompletedTask;
        }).WaitAsync(s_bound);
        await Block(blocked);
        await fired.Task.WaitAsync(s_bound);
        Assert.False(_unblock.IsSet);
    }

    [Fact]
    public async Task A_timer_that_is_due_earlier_than_another_loops_is_not_late_for_it()
    {
        var workers = new LoopWorkers(2, clientPatience: 300);
        var one = NewLoop(workers);
        var other = NewLoop(workers);
        var order = new List<string>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await Schedule(one, 60_000, () =>
        {
            lock (order) order.Add("later");
            done.SetResult();
        });

        // Its worker sleeps until then by now, or soon does.
        await Schedule(other, 5_000, () =>
        {
            lock (order) order.Add("earlier");
        });
        await done.Task.WaitAsync(s_bound);
        Assert.Equal(["earlier", "later"], order);
    }

    [Fact]
    public async Task A_loop_that_always_has_work_lets_the_others_run()
    {
        var workers = new LoopWorkers(1, clientPatience: 300);
        var busy = NewLoop(workers);
        busy.Post(_ => Again(busy), null);
        var silo = NewLoop(workers);
        var client = NewLoop(workers, isClient: true);
        for (var i = 0; i < 20; i++)
        {
            await silo.RunAsync(static () => Task.CompletedTask).WaitAsync(s_bound);
            await client.RunAsync(static () => Task.CompletedTask).WaitAsync(s_bound);
        }

        static void Again(RealTimeLoop loop) => loop.Post(_ => Again(loop), null);
    }

    [Theory]
    [InlineData(long.MaxValue, "silo client")]
    [InlineData(0, "client silo")]
    public async Task Silos_go_before_clients_until_those_have_waited_for_long_enough(long patience, string expected)
    {
        var workers = new LoopWorkers(1, patience);
        var first = NewLoop(workers);
        var client = NewLoop(workers, isClient: true);
        var silo = NewLoop(workers);
        var order = new List<string>();

        // Both become ready in the turn of the only worker: the client first.
        var both = first.RunAsync(() => Task.WhenAll(
            client.RunAsync(() => Note(order, "client")),
            silo.RunAsync(() => Note(order, "silo"))));
        await both.WaitAsync(s_bound);
        Assert.Equal(expected, string.Join(' ', order));
    }

    [Fact]
    public void Loops_of_silos_stay_with_their_threads_and_share_them_with_a_clients()
    {
        const int Batches = 4_000;
        var workers = new LoopWorkers(2, clientPatience: 300);
        var (batches, moves, threads) = (new int[2], new int[2], new int[2]);
        for (var i = 0; i < 2; i++)
        {
            var at = i;
            KeepBusy(NewLoop(workers), () =>
            {
                if (threads[at] != Environment.CurrentManagedThreadId) moves[at]++;
                threads[at] = Environment.CurrentManagedThreadId;
                Thread.SpinWait(50);
                Volatile.Write(ref batches[at], batches[at] + 1);
            });
        }

        KeepBusy(NewLoop(workers, isClient: true), static () => Thread.SpinWait(50));
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref batches[0]) >= Batches && Volatile.Read(ref batches[1]) >= Batches, s_bound));

        // It does move when the system lets its thread wait: that is what the others look for.
        for (var i = 0; i < 2; i++) Assert.InRange(moves[i], 1, batches[i] / 100);
    }

    [Fact]
    public async Task What_the_work_of_one_loop_leaves_in_the_context_of_its_thread_is_nothing_to_another()
    {
        var workers = new LoopWorkers(1, clientPatience: 300);
        var local = new AsyncLocal<string?>();
        var one = NewLoop(workers);
        var other = NewLoop(workers);
        var left = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        one.Post(
            _ =>
            {
                local.Value = "left behind";
                left.SetResult();
            },
            null);
        await left.Task.WaitAsync(s_bound);
        string? seen = "nothing was looked at";
        var looked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        other.Post(
            _ =>
            {
                seen = local.Value;
                looked.SetResult();
            },
            null);
        await looked.Task.WaitAsync(s_bound);
        Assert.Null(seen);
    }

    [Fact]
    public async Task No_loop_is_forgotten_among_many_that_fall_asleep_and_are_made_ready_by_each_other()
    {
        var workers = new LoopWorkers(3, clientPatience: 50);
        var loops = Enumerable.Range(0, 12).Select(i => NewLoop(workers, isClient: i % 4 == 0)).ToArray();
        var rounds = new int[8];
        var ended = Enumerable.Range(0, rounds.Length).Select(_ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).ToArray();
        for (var i = 0; i < rounds.Length; i++) Pass(i, i);
        await Task.WhenAll(ended.Select(e => e.Task)).WaitAsync(s_bound);
        Assert.All(rounds, count => Assert.Equal(3_000, count));

        // A baton goes from loop to loop, in steps of its own, with a pause now and then in which workers fall asleep.
        void Pass(int baton, int at) => loops[at].Post(
            _ =>
            {
                if (++rounds[baton] == 3_000) ended[baton].SetResult();
                else if (rounds[baton] % 100 == 0) loops[at].Schedule(Clock.UtcMicroseconds + 1_500, _ => Pass(baton, (at + 1 + baton) % loops.Length), null);
                else Pass(baton, (at + 1 + baton) % loops.Length);
            },
            null);
    }

    [Fact]
    public async Task A_loop_never_runs_on_two_threads_at_once()
    {
        var workers = new LoopWorkers(4, clientPatience: 300);
        var loop = NewLoop(workers);
        var others = Enumerable.Range(0, 4).Select(_ => NewLoop(workers)).ToArray();
        var inside = 0;
        var overlaps = 0;
        var calls = new List<Task>();
        foreach (var other in others)
        {
            calls.Add(other.RunAsync(async () =>
            {
                for (var i = 0; i < 2_000; i++)
                {
                    await loop.RunAsync(() =>
                    {
                        if (Interlocked.Increment(ref inside) != 1) overlaps++;
                        Thread.SpinWait(5);
                        Interlocked.Decrement(ref inside);
                        return Task.CompletedTask;
                    });
                }
            }));
        }

        await Task.WhenAll(calls).WaitAsync(s_bound);
        Assert.Equal(0, overlaps);
    }

    private static Task Note(List<string> order, string what)
    {
        lock (order) order.Add(what);
        return Task.CompletedTask;
    }

    private static Task Schedule(RealTimeLoop loop, long microseconds, Action action) => loop.RunAsync(() =>
    {
        loop.Schedule(Clock.UtcMicroseconds + microseconds, _ => action(), null);
        return Task.CompletedTask;
    });

    private RealTimeLoop NewLoop(LoopWorkers workers, bool isClient = false)
    {
        var loop = new RealTimeLoop(workers, static () => { }, static () => false, NullLogger.Instance) { IsClient = isClient };
        _loops.Add(loop);
        loop.Start();
        return loop;
    }

    // One piece of work for each batch, without end: a timer that is due gets into the next one.
    private static void KeepBusy(RealTimeLoop loop, Action action)
    {
        loop.Post(_ => Again(), null);

        void Again()
        {
            action();
            loop.Schedule(Clock.UtcMicroseconds, _ => Again(), null);
        }
    }

    // Completes when the loop's thread is blocked.
    private Task Block(RealTimeLoop loop)
    {
        var blocked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        loop.Post(
            _ =>
            {
                blocked.SetResult();
                _unblock.Wait();
            },
            null);
        return blocked.Task.WaitAsync(s_bound);
    }
}
