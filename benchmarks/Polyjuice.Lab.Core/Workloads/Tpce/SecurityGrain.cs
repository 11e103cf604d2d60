using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>A row of SECURITY.</summary>
[GenerateSerializer]
public sealed class SecurityState
{
    /// <summary>What comes before the key in its name.</summary>
    [Id(0)]
    public string Prefix { get; set; } = "S";
}

/// <summary>A row of LAST_TRADE.</summary>
[GenerateSerializer]
public sealed class LastTradeState
{
    /// <summary>In cents.</summary>
    [Id(0)]
    public long Price { get; set; } = TpceKeys.FirstPrice;

    /// <summary>How many were traded.</summary>
    [Id(1)]
    public long Volume { get; set; }
}

/// <summary>The rows of TRADE_REQUEST that wait for a price of the security.</summary>
[GenerateSerializer]
public sealed class TradeRequestsState
{
    /// <summary>Replaced as a whole, so that copies share it.</summary>
    [Id(0)]
    public ImmutableArray<TradeRequest> Waiting { get; set; } = [];

    /// <summary>How many have been met.</summary>
    [Id(1)]
    public long Met { get; set; }
}

/// <inheritdoc cref="ISecurityGrain"/>
[Reentrant]
public sealed class SecurityGrain(
    [TransactionalState("security")] ITransactionalState<SecurityState> security,
    [TransactionalState("lastTrade")] ITransactionalState<LastTradeState> lastTrade,
    [TransactionalState("requests")] ITransactionalState<TradeRequestsState> requests,
    [TransactionalState("trades")] ITransactionalState<NewestState> trades) : Grain, ISecurityGrain
{
    /// <inheritdoc/>
    public Task<string> Name() => security.PerformRead(state => state.Prefix);

    /// <inheritdoc/>
    public Task<long> Price() => lastTrade.PerformRead(state => state.Price);

    /// <inheritdoc/>
    public Task Enter(long trade) => trades.PerformUpdate(state => state.Add(trade));

    /// <inheritdoc/>
    public Task Request(TradeRequest request) =>
        requests.PerformUpdate(state => { state.Waiting = state.Waiting.Add(request); });

    /// <inheritdoc/>
    public async Task Take(Tick tick)
    {
        ArgumentNullException.ThrowIfNull(tick);
        await lastTrade.PerformUpdate(state =>
        {
            state.Price = tick.Price;
            state.Volume += tick.Quantity;
        });
        // Most prices meet nobody, and then nothing is written.
        if (!await requests.PerformRead(state => state.Waiting.Any(request => request.IsMetBy(tick.Price)))) return;
        var met = await requests.PerformUpdate(state =>
        {
            var found = state.Waiting.Where(request => request.IsMetBy(tick.Price)).ToArray();
            state.Waiting = state.Waiting.RemoveRange(found);
            state.Met += found.Length;
            return found;
        });
        foreach (var request in met)
        {
            await GrainFactory.GetGrain<ITradeGrain>(request.Trade).Submit();
            await GrainFactory.GetGrain<IBrokerGrain>(request.Broker).Wait(-1);
        }
    }

    /// <inheritdoc/>
    public async Task<int> UpdateCash()
    {
        var newest = await trades.PerformRead(state => state.Newest);
        foreach (var trade in newest) await GrainFactory.GetGrain<ITradeGrain>(trade).UpdateCash();
        return newest.Length;
    }

    /// <inheritdoc/>
    public async Task<SecurityTotals> Totals()
    {
        var (waiting, met) = await requests.PerformRead(state => (state.Waiting.Length, state.Met));
        return new SecurityTotals
        {
            Trades = await trades.PerformRead(state => state.Count),
            Volume = await lastTrade.PerformRead(state => state.Volume),
            Waiting = waiting,
            Met = met
        };
    }
}
