using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <inheritdoc cref="IPingGrain"/>
[Reentrant]
public sealed class PingGrain : Grain, IPingGrain
{
    /// <inheritdoc/>
    public Task<long> Ping(long value) => Task.FromResult(value);

    /// <inheritdoc/>
    public async Task PingOther(long target, int calls)
    {
        var other = GrainFactory.GetGrain<IPingGrain>(target);
        for (var i = 0; i < calls; i++) await other.Ping(i);
    }
}
