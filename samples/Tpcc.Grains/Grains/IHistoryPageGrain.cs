using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>Some payments that a district got one after the other.</summary>
public interface IHistoryPageGrain : IGrainWithIntegerKey
{
    /// <summary>Adds a payment.</summary>
    [Transaction(TransactionOption.Join)]
    Task Add(HistoryRow payment);

    /// <summary>Sets the page.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(HistoryPage page);

    /// <summary>The page, for checks.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<HistoryPage> Read();
}

/// <inheritdoc cref="IHistoryPageGrain"/>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup, DividedBy = Keys.OrdersOfWarehouse)]
public sealed class HistoryPageGrain(
    [TransactionalState("page")] ITransactionalState<HistoryPage> page) : Grain, IHistoryPageGrain
{
    public Task Add(HistoryRow payment) =>
        page.PerformUpdate(state => { state.Payments = state.Payments.Add(payment); });

    public Task Load(HistoryPage loaded) => page.PerformUpdate(state => { state.Payments = loaded.Payments; });

    public Task<HistoryPage> Read() => page.PerformRead(state => state);
}
