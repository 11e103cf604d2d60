using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Calls that filters look at.</summary>
public interface IWatched : IGrainWithIntegerKey
{
    /// <summary>
    /// Deposits as much as there is, but waits before it does so,
    /// the first time, for <see cref="WatchedGrain.Release"/>.
    /// </summary>
    [Transaction(TransactionOption.Create)]
    Task<int> Double(long account);

    /// <summary>No transaction.</summary>
    /// <returns>How the call has come here.</returns>
    Task<string> Trace();
}

[Reentrant]
public sealed class WatchedGrain : Grain, IWatched, IIncomingGrainCallFilter
{
    private static readonly ConcurrentDictionary<long, Story> s_stories = new();

    /// <summary>What has happened in and around the calls of one grain, in order.</summary>
    public static ConcurrentQueue<string> Events(long key) => Of(key).Events;

    /// <summary>Completes when the first run has read the balance.</summary>
    public static Task Reached(long key) => Of(key).Reached.Task.WaitAsync(TimeSpan.FromMinutes(1));

    public static void Release(long key) => Of(key).Released.TrySetResult();

    public async Task Invoke(IIncomingGrainCallContext context)
    {
        Events(this.GetPrimaryKeyLong()).Enqueue("grain's");
        await context.Invoke();
        Events(this.GetPrimaryKeyLong()).Enqueue("grain's, after");
    }

    public async Task<int> Double(long account)
    {
        var story = Of(this.GetPrimaryKeyLong());
        story.Events.Enqueue("body");
        var balance = await GrainFactory.GetGrain<IAccount>(account).GetBalance();
        story.Reached.TrySetResult();
        await story.Released.Task;
        await GrainFactory.GetGrain<IAccount>(account).Deposit(balance);
        return 2 * balance;
    }

    public Task<string> Trace() => Task.FromResult(Environment.StackTrace);

    private static Story Of(long key) => s_stories.GetOrAdd(key, static _ => new());

    private sealed class Story
    {
        public ConcurrentQueue<string> Events { get; } = [];

        public TaskCompletionSource Reached { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Released { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
