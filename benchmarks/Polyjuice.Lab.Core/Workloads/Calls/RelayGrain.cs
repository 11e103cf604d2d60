using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Calls;

/// <summary>Passes a number on, without any transaction.</summary>
public interface IRelayGrain : IGrainWithIntegerKey
{
    /// <summary>Asks another grain for its answer.</summary>
    Task<long> Relay(long to, long number);

    /// <summary>Answers with the next number.</summary>
    Task<long> Next(long number);
}

/// <inheritdoc cref="IRelayGrain"/>
[Reentrant]
public sealed class RelayGrain : Grain, IRelayGrain
{
    /// <inheritdoc/>
    public Task<long> Relay(long to, long number) => GrainFactory.GetGrain<IRelayGrain>(to).Next(number);

    /// <inheritdoc/>
    public Task<long> Next(long number) => Task.FromResult(number + 1);
}
