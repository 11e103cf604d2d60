using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

[GenerateSerializer]
public sealed class BoxContent<T>
{
    [Id(0)]
    public T? Value { get; set; }
}

/// <summary>A generic interface with generic methods: their requests are generic too.</summary>
public interface IBox<T> : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Put(T value);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<(T? Value, TLabel Label)> Take<TLabel>(TLabel label);

    /// <summary>No transaction.</summary>
    Task<string> Trace();
}

[Reentrant]
public sealed class BoxGrain<T>(
    [TransactionalState("content")] ITransactionalState<BoxContent<T>> content) : Grain, IBox<T>
{
    public Task Put(T value) => content.PerformUpdate(state =>
    {
        state.Value = value;
    });

    public async Task<(T? Value, TLabel Label)> Take<TLabel>(TLabel label) =>
        (await content.PerformRead(state => state.Value), label);

    public Task<string> Trace() => Task.FromResult(Environment.StackTrace);
}
