using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Transactions within which others are started.</summary>
public interface INesting : IGrainWithIntegerKey
{
    /// <summary>Waits for <see cref="NestingGrain.Release"/>, and starts another transaction then.</summary>
    /// <returns>What that has returned.</returns>
    [Transaction(TransactionOption.Create)]
    Task<int> StartAnother();

    /// <summary>Does nothing.</summary>
    /// <returns>How many of these have begun by then.</returns>
    [Transaction(TransactionOption.Create)]
    Task<int> Begin();
}

[Reentrant]
public sealed class NestingGrain : Grain, INesting
{
    private static readonly ConcurrentDictionary<long, TaskCompletionSource> s_reached = new();
    private static readonly ConcurrentDictionary<long, TaskCompletionSource> s_released = new();
    private static int s_begun;

    /// <summary>Completes when the grain's transaction has begun.</summary>
    public static Task Reached(long key) => Of(s_reached, key).Task.WaitAsync(TimeSpan.FromMinutes(1));

    public static void Release(long key) => Of(s_released, key).TrySetResult();

    public async Task<int> StartAnother()
    {
        var key = this.GetPrimaryKeyLong();
        Of(s_reached, key).TrySetResult();
        await Of(s_released, key).Task;
        return await GrainFactory.GetGrain<INesting>(key + 1).Begin();
    }

    public Task<int> Begin() => Task.FromResult(Interlocked.Increment(ref s_begun));

    private static TaskCompletionSource Of(ConcurrentDictionary<long, TaskCompletionSource> gates, long key) =>
        gates.GetOrAdd(key, static _ => new(TaskCreationOptions.RunContinuationsAsynchronously));
}
