using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice.Benchmarking.Workloads.Micro;

namespace Polyjuice.Benchmarking.Workloads.Doppel;

/// <summary>A record of INCR1: a number.</summary>
public interface IIncrementGrain : ICounterGrain;

/// <inheritdoc cref="IIncrementGrain"/>
[Reentrant]
public sealed class IncrementGrain([TransactionalState("number")] ITransactionalState<CounterState> number) : CounterGrain(number), IIncrementGrain;
