using Orleans;
using Orleans.Concurrency;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>A depot, its shelves and its bins are of one group: that of the depot's number.</summary>
public interface IDepot : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task Store(int[] shelves, string[] bins, int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Get();
}

/// <summary>Keys are depot * 100 + number.</summary>
public interface IShelf : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Get();
}

/// <summary>Keys are bin-DEPOT-NAME.</summary>
public interface IBin : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Get();
}

/// <summary>Keys are REGION:NAME; those without a region have no group.</summary>
public interface ICourier : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Ride();
}

[Reentrant]
[TransactionGroup("depot")]
public sealed class DepotGrain([TransactionalState("stored")] ITransactionalState<Balance> stored) : Grain, IDepot
{
    public async Task Store(int[] shelves, string[] bins, int amount)
    {
        var depot = this.GetPrimaryKeyLong();
        await stored.PerformUpdate(state => state.Value += amount);
        foreach (var shelf in shelves) await GrainFactory.GetGrain<IShelf>((depot * 100) + shelf).Add(amount);
        foreach (var bin in bins) await GrainFactory.GetGrain<IBin>($"bin-{depot}-{bin}").Add(amount);
    }

    public Task<int> Get() => stored.PerformRead(state => state.Value);
}

[Reentrant]
[TransactionGroup("depot", DividedBy = 100)]
public sealed class ShelfGrain([TransactionalState("items")] ITransactionalState<Balance> items) : Grain, IShelf
{
    public Task Add(int amount) => items.PerformUpdate(state => state.Value += amount);

    public Task<int> Get() => items.PerformRead(state => state.Value);
}

[Reentrant]
[TransactionGroup("depot", Separator = "-", Part = 1)]
public sealed class BinGrain([TransactionalState("items")] ITransactionalState<Balance> items) : Grain, IBin
{
    public Task Add(int amount) => items.PerformUpdate(state => state.Value += amount);

    public Task<int> Get() => items.PerformRead(state => state.Value);
}

[Reentrant]
[TransactionGroup<Region>("region")]
public sealed class CourierGrain([TransactionalState("rides")] ITransactionalState<Balance> rides) : Grain, ICourier
{
    public Task<int> Ride() => rides.PerformUpdate(state => ++state.Value);

    public sealed class Region : ITransactionGroup
    {
        public static string GroupOf(GrainId grain) => grain.Key.ToString() switch
        {
            null or "lost" => null!,
            "" or "nowhere" => "",
            var key when key.Contains(':', StringComparison.Ordinal) =>
                key[..key.IndexOf(':', StringComparison.Ordinal)],
            var key => throw new FormatException($"{key} names no region"),
        };
    }
}
