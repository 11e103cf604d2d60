using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>A row of TRADE and its rows of TRADE_HISTORY, which are written together.</summary>
[GenerateSerializer]
public sealed class TradeState
{
    /// <summary>What was ordered; <see langword="null"/> if there is no such trade.</summary>
    [Id(0)]
    public TradeOrder? Order { get; set; }

    /// <summary>By whom.</summary>
    [Id(1)]
    public long Account { get; set; }

    /// <summary>In cents.</summary>
    [Id(2)]
    public long Charge { get; set; }

    /// <summary>Whether it has been sent to the market.</summary>
    [Id(3)]
    public bool IsSubmitted { get; set; }

    /// <summary>How often the executor was overwritten.</summary>
    [Id(4)]
    public long Updates { get; set; }
}

/// <summary>A row of SETTLEMENT or of CASH_TRANSACTION.</summary>
[GenerateSerializer]
public sealed class TradePartState
{
    /// <summary>What it says.</summary>
    [Id(0)]
    public string Text { get; set; } = "";

    /// <summary>How often it was overwritten.</summary>
    [Id(1)]
    public long Updates { get; set; }

    /// <summary>Overwrites it with another text than there was, as the standard does.</summary>
    public void Overwrite(string one, string other)
    {
        Text = Text == one ? other : one;
        Updates++;
    }
}

/// <inheritdoc cref="ITradeGrain"/>
[Reentrant]
public sealed class TradeGrain(
    [TransactionalState("trade")] ITransactionalState<TradeState> trade,
    [TransactionalState("settlement")] ITransactionalState<TradePartState> settlement,
    [TransactionalState("cash")] ITransactionalState<TradePartState> cash) : Grain, ITradeGrain
{
    /// <inheritdoc/>
    public Task Insert(long account, TradeOrder order, long charge) => trade.PerformUpdate(state =>
    {
        ArgumentNullException.ThrowIfNull(order);
        (state.Order, state.Account, state.Charge, state.IsSubmitted) = (order, account, charge, order.Limit is null);
    });

    /// <inheritdoc/>
    public Task Submit() => trade.PerformUpdate(state => { state.IsSubmitted = true; });

    /// <inheritdoc/>
    public async Task<int> UpdateExecutors(ImmutableArray<long> others)
    {
        await UpdateExecutor();
        foreach (var other in others) await GrainFactory.GetGrain<ITradeGrain>(other).UpdateExecutor();
        return 1 + others.Length;
    }

    /// <inheritdoc/>
    public async Task UpdateExecutor()
    {
        await trade.PerformUpdate(state => { state.Updates++; });
        await settlement.PerformRead(state => state.Text);
        await cash.PerformRead(state => state.Text);
    }

    /// <inheritdoc/>
    public async Task UpdateSettlement()
    {
        await trade.PerformRead(state => state.IsSubmitted);
        await settlement.PerformUpdate(state => state.Overwrite("Cash Account", "Margin"));
    }

    /// <inheritdoc/>
    public async Task UpdateCash()
    {
        var quantity = await trade.PerformRead(state => state.Order?.Quantity ?? 0);
        await settlement.PerformRead(state => state.Text);
        await cash.PerformUpdate(state => state.Overwrite($"{quantity} shares", $"{quantity} Shares"));
    }

    /// <inheritdoc/>
    public async Task<long> Updates()
    {
        if (await trade.PerformRead(state => state.Order is null)) return -1;
        return await trade.PerformRead(state => state.Updates) + await settlement.PerformRead(state => state.Updates)
            + await cash.PerformRead(state => state.Updates);
    }
}
