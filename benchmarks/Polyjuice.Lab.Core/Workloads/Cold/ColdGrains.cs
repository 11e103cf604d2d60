using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Cold;

/// <summary>A number that a storage provider keeps.</summary>
[GenerateSerializer]
public sealed class ColdNumber
{
    /// <summary>The number.</summary>
    [Id(0)]
    public long Value { get; set; }
}

/// <summary>A grain with one state in a row.</summary>
public interface IColdGrain : IGrainWithIntegerKey
{
    /// <summary>Adds to the number.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Add(long amount);

    /// <summary>Reads the number.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Get();
}

/// <inheritdoc cref="IColdGrain"/>
[Reentrant]
public sealed class ColdGrain(
    [TransactionalState("number", ColdGrain.Storage)] ITransactionalState<ColdNumber> number) : Grain, IColdGrain
{
    /// <summary>The name of the storage provider.</summary>
    public const string Storage = "cold";

    /// <inheritdoc/>
    public Task<long> Add(long amount) => number.PerformUpdate(state => state.Value += amount);

    /// <inheritdoc/>
    public Task<long> Get() => number.PerformRead(state => state.Value);
}

/// <summary>Starts transactions over many of them.</summary>
public interface IColdRootGrain : IGrainWithIntegerKey
{
    /// <summary>Adds to each of a range of grains.</summary>
    /// <param name="first">The first key.</param>
    /// <param name="count">How many.</param>
    /// <param name="isTogether">Whether all are called before any has answered; otherwise one after the other.</param>
    [Transaction(TransactionOption.Create)]
    Task Add(long first, int count, bool isTogether);

    /// <summary>The sum over a range of grains, all called before any has answered.</summary>
    /// <param name="first">The first key.</param>
    /// <param name="count">How many.</param>
    [Transaction(TransactionOption.Create)]
    Task<long> Sum(long first, int count);
}

/// <inheritdoc cref="IColdRootGrain"/>
[StatelessWorker]
public sealed class ColdRootGrain : Grain, IColdRootGrain
{
    /// <inheritdoc/>
    public async Task Add(long first, int count, bool isTogether)
    {
        if (isTogether) await Task.WhenAll(Keys(first, count).Select(key => GrainOf(key).Add(1)));
        else foreach (var key in Keys(first, count)) await GrainOf(key).Add(1);
    }

    /// <inheritdoc/>
    public async Task<long> Sum(long first, int count) =>
        (await Task.WhenAll(Keys(first, count).Select(key => GrainOf(key).Get()))).Sum();

    private static IEnumerable<long> Keys(long first, int count) => Enumerable.Range(0, count).Select(i => first + i);

    private IColdGrain GrainOf(long key) => GrainFactory.GetGrain<IColdGrain>(key);
}
