using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <inheritdoc cref="ITransactionalPingGrain"/>
[Reentrant]
public sealed class TransactionalPingGrain : Grain, ITransactionalPingGrain
{
    /// <inheritdoc/>
    public async Task PingOther(long target, int calls)
    {
        var other = GrainFactory.GetGrain<IPingGrain>(target);
        for (var i = 0; i < calls; i++) await other.Ping(i);
    }

    /// <inheritdoc/>
    public Task Commit() => Task.CompletedTask;
}
