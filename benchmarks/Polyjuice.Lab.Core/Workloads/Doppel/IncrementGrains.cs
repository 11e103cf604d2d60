using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice.Lab.Workloads.Micro;

namespace Polyjuice.Lab.Workloads.Doppel;

/// <summary>A record of INCR1: a number.</summary>
public interface IIncrementGrain : ICounterGrain;

/// <inheritdoc cref="IIncrementGrain"/>
[Reentrant]
public sealed class IncrementGrain(
    [TransactionalState("number")] ITransactionalState<CounterState> number) : CounterGrain(number), IIncrementGrain;
