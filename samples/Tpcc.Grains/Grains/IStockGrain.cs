using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice;
using Tpcc.Grains.Messages;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>An item's stock in a warehouse.</summary>
public interface IStockGrain : IGrainWithIntegerKey
{
    /// <summary>Takes pieces for an order of a district, and fills up if there get too few (clause 2.4.2.2).</summary>
    [Transaction(TransactionOption.Join)]
    Task<TakenStock> Take(int district, int quantity, bool isRemote);

    /// <summary>S_QUANTITY.</summary>
    [Transaction(TransactionOption.Join)]
    Task<int> Quantity();

    /// <summary>Sets the row.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(StockRow row);

    /// <summary>The row.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<StockRow> Read();
}

/// <inheritdoc cref="IStockGrain"/>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup, DividedBy = Keys.Items)]
public sealed class StockGrain([TransactionalState("stock")] ITransactionalState<StockRow> stock) : Grain, IStockGrain
{
    private const int LeastLeft = 10;
    private const int Refill = 91;

    public Task<TakenStock> Take(int district, int quantity, bool isRemote) => stock.PerformUpdate(row =>
    {
        if (row.Info is null) throw new InvalidItemException();
        row.Quantity -= quantity;
        if (row.Quantity < LeastLeft) row.Quantity += Refill;
        row.OrderedPieces += quantity;
        row.OrderCount++;
        if (isRemote) row.RemoteCount++;
        return new TakenStock
        {
            Quantity = row.Quantity,
            DistrictText = row.Info.TextOf(district),
            IsBrand = row.Info.Data.Contains(ItemRow.Original, StringComparison.Ordinal),
        };
    });

    public Task<int> Quantity() => stock.PerformRead(row => row.Quantity);

    public Task Load(StockRow row) => stock.PerformUpdate(state =>
    {
        (state.Info, state.Quantity) = (row.Info, row.Quantity);
        (state.OrderedPieces, state.OrderCount, state.RemoteCount) =
            (row.OrderedPieces, row.OrderCount, row.RemoteCount);
    });

    public Task<StockRow> Read() => stock.PerformRead(row => row);
}
