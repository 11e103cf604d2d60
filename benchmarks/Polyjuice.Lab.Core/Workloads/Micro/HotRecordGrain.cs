using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Micro;

/// <inheritdoc cref="IHotRecordGrain"/>
[Reentrant]
public sealed class HotRecordGrain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IHotRecordGrain
{
    /// <inheritdoc/>
    public Task Micro1(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn1Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro2(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn2Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro3(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn3Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro4(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn4Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro5(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn5Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro6(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn6Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro7(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn7Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro8(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn8Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro9(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn9Grain>(keys.Own));

    /// <inheritdoc/>
    public Task Micro10(MicroKeys keys) => Update(keys, GrainFactory.GetGrain<IOwn10Grain>(keys.Own));

    private async Task Update(MicroKeys keys, ICounterGrain own)
    {
        await Add();
        foreach (var key in keys.Cold) await GrainFactory.GetGrain<IColdRecordGrain>(key).Add();
        foreach (var key in keys.Shared) await GrainFactory.GetGrain<ISharedRecordGrain>(key).Add();
        await own.Add();
    }
}
