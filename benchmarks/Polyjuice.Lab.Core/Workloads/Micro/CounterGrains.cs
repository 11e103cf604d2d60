using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Micro;

/// <summary>The state of a record.</summary>
[GenerateSerializer]
public sealed class CounterState
{
    /// <summary>Transactions that have updated it.</summary>
    [Id(0)]
    public long Count { get; set; }
}

/// <summary>What all records have in common.</summary>
/// <param name="record">The record.</param>
public abstract class CounterGrain(ITransactionalState<CounterState> record) : Grain, ICounterGrain
{
    /// <inheritdoc/>
    public Task Add() => record.PerformUpdate(state => { state.Count++; });

    /// <inheritdoc/>
    public Task<long> Count() => record.PerformRead(state => state.Count);
}

/// <inheritdoc cref="IColdRecordGrain"/>
[Reentrant]
public sealed class ColdRecordGrain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IColdRecordGrain;

/// <inheritdoc cref="ISharedRecordGrain"/>
[Reentrant]
public sealed class SharedRecordGrain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), ISharedRecordGrain;
