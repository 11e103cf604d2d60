using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>A page of the catalogue of items, which is only read.</summary>
public interface IItemPageGrain : IGrainWithIntegerKey
{
    /// <summary>An item. Throws <see cref="InvalidItemException"/> if there is none of that number.</summary>
    [Transaction(TransactionOption.Join)]
    Task<ItemRow> Get(int item);

    /// <summary>Sets the page.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(ItemPage page);
}

/// <inheritdoc cref="IItemPageGrain"/>
[Reentrant]
public sealed class ItemPageGrain(
    [TransactionalState("items")] ITransactionalState<ItemPage> items) : Grain, IItemPageGrain
{
    public Task<ItemRow> Get(int item) => items.PerformRead(page =>
    {
        var place = (item - 1) % Keys.ItemsPerPage;
        return place < page.Items.Length ? page.Items[place] : throw new InvalidItemException();
    });

    public Task Load(ItemPage page) => items.PerformUpdate(state => { state.Items = page.Items; });
}
