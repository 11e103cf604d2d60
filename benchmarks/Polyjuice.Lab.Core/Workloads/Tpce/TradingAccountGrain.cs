using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>A row of CUSTOMER_ACCOUNT. There is nothing to load: who an account is follows from its key.</summary>
[GenerateSerializer]
public sealed class TradingAccountState
{
    /// <summary>In cents.</summary>
    [Id(0)]
    public long Balance { get; set; }
}

/// <summary>What an account holds.</summary>
[GenerateSerializer]
public sealed class HoldingsState
{
    /// <summary>By security.</summary>
    [Id(0)]
    public Dictionary<long, long> Quantities { get; set; } = [];
}

/// <inheritdoc cref="ITradingAccountGrain"/>
[Reentrant]
public sealed class TradingAccountGrain(
    [TransactionalState("account")] ITransactionalState<TradingAccountState> account,
    [TransactionalState("holdings")] ITransactionalState<HoldingsState> holdings,
    [TransactionalState("trades")] ITransactionalState<NewestState> trades) : Grain, ITradingAccountGrain
{
    /// <inheritdoc/>
    public async Task Order(TradeOrder order)
    {
        ArgumentNullException.ThrowIfNull(order);
        var key = this.GetPrimaryKeyLong();
        var balance = await account.PerformRead(state => state.Balance);
        var tier = await GrainFactory.GetGrain<ITradingCustomerGrain>(TpceKeys.CustomerOf(key)).Tier();
        var broker = GrainFactory.GetGrain<IBrokerGrain>(TpceKeys.BrokerOf(key));
        var commission = await broker.Commission(tier);
        var security = GrainFactory.GetGrain<ISecurityGrain>(order.Security);
        await security.Name();
        var held = await holdings.PerformRead(state => state.Quantities.GetValueOrDefault(order.Security));
        var price = order.Limit ?? await security.Price();
        // Who sells what they have not is lent it, at a charge.
        var charge = (price * order.Quantity * commission / 10_000)
            + (order.IsBuy || held >= order.Quantity || balance > 0 ? 0 : price);
        await GrainFactory.GetGrain<ITradeGrain>(order.Trade).Insert(key, order, charge);
        await trades.PerformUpdate(state => state.Add(order.Trade));
        await security.Enter(order.Trade);
        if (order.Limit is { } limit)
        {
            await security.Request(new TradeRequest(order.Trade, TpceKeys.BrokerOf(key), order.IsBuy, limit));
            await broker.Wait(1);
        }

        if (order.IsCancelled) throw new TradeCancelledException();
    }

    /// <inheritdoc/>
    public async Task<int> UpdateSettlements()
    {
        var newest = await trades.PerformRead(state => state.Newest);
        foreach (var trade in newest) await GrainFactory.GetGrain<ITradeGrain>(trade).UpdateSettlement();
        return newest.Length;
    }

    /// <inheritdoc/>
    public Task<long> Trades() => trades.PerformRead(state => state.Count);
}
