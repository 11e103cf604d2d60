using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Micro;

// A table for each type: a site is told by the class of the grain, so a
// table of all types would make them meet, for a policy, where they do not.

/// <summary>A record that only Micro1 updates.</summary>
public interface IOwn1Grain : ICounterGrain;

/// <inheritdoc cref="IOwn1Grain"/>
[Reentrant]
public sealed class Own1Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn1Grain;

/// <summary>A record that only Micro2 updates.</summary>
public interface IOwn2Grain : ICounterGrain;

/// <inheritdoc cref="IOwn2Grain"/>
[Reentrant]
public sealed class Own2Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn2Grain;

/// <summary>A record that only Micro3 updates.</summary>
public interface IOwn3Grain : ICounterGrain;

/// <inheritdoc cref="IOwn3Grain"/>
[Reentrant]
public sealed class Own3Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn3Grain;

/// <summary>A record that only Micro4 updates.</summary>
public interface IOwn4Grain : ICounterGrain;

/// <inheritdoc cref="IOwn4Grain"/>
[Reentrant]
public sealed class Own4Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn4Grain;

/// <summary>A record that only Micro5 updates.</summary>
public interface IOwn5Grain : ICounterGrain;

/// <inheritdoc cref="IOwn5Grain"/>
[Reentrant]
public sealed class Own5Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn5Grain;

/// <summary>A record that only Micro6 updates.</summary>
public interface IOwn6Grain : ICounterGrain;

/// <inheritdoc cref="IOwn6Grain"/>
[Reentrant]
public sealed class Own6Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn6Grain;

/// <summary>A record that only Micro7 updates.</summary>
public interface IOwn7Grain : ICounterGrain;

/// <inheritdoc cref="IOwn7Grain"/>
[Reentrant]
public sealed class Own7Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn7Grain;

/// <summary>A record that only Micro8 updates.</summary>
public interface IOwn8Grain : ICounterGrain;

/// <inheritdoc cref="IOwn8Grain"/>
[Reentrant]
public sealed class Own8Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn8Grain;

/// <summary>A record that only Micro9 updates.</summary>
public interface IOwn9Grain : ICounterGrain;

/// <inheritdoc cref="IOwn9Grain"/>
[Reentrant]
public sealed class Own9Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn9Grain;

/// <summary>A record that only Micro10 updates.</summary>
public interface IOwn10Grain : ICounterGrain;

/// <inheritdoc cref="IOwn10Grain"/>
[Reentrant]
public sealed class Own10Grain(
    [TransactionalState("record")] ITransactionalState<CounterState> record) : CounterGrain(record), IOwn10Grain;
