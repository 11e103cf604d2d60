using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>A row of CUSTOMER.</summary>
[GenerateSerializer]
public sealed class TradingCustomerState
{
    /// <summary>0 for the first, to 2.</summary>
    [Id(0)]
    public int TiersAbove { get; set; }
}

/// <inheritdoc cref="ITradingCustomerGrain"/>
[Reentrant]
public sealed class TradingCustomerGrain(
    [TransactionalState("customer")] ITransactionalState<TradingCustomerState> customer) : Grain, ITradingCustomerGrain
{
    /// <inheritdoc/>
    public Task<int> Tier() => customer.PerformRead(state => 1 + state.TiersAbove);
}

/// <summary>A row of BROKER.</summary>
[GenerateSerializer]
public sealed class BrokerState
{
    /// <summary>In hundredths of a percent, for the first tier.</summary>
    [Id(0)]
    public int Rate { get; set; } = 50;
}

/// <summary>A broker's requests, apart because orders only read the row.</summary>
[GenerateSerializer]
public sealed class BrokerRequestsState
{
    /// <summary>How many wait.</summary>
    [Id(0)]
    public long Waiting { get; set; }
}

/// <inheritdoc cref="IBrokerGrain"/>
[Reentrant]
public sealed class BrokerGrain(
    [TransactionalState("broker")] ITransactionalState<BrokerState> broker,
    [TransactionalState("requests")] ITransactionalState<BrokerRequestsState> requests) : Grain, IBrokerGrain
{
    /// <inheritdoc/>
    public Task<int> Commission(int tier) => broker.PerformRead(state => state.Rate / tier);

    /// <inheritdoc/>
    public Task Wait(int count) => requests.PerformUpdate(state => { state.Waiting += count; });

    /// <inheritdoc/>
    public Task<long> Waiting() => requests.PerformRead(state => state.Waiting);
}

/// <inheritdoc cref="IMarketGrain"/>
[Reentrant]
public sealed class MarketGrain : Grain, IMarketGrain
{
    /// <inheritdoc/>
    public async Task Feed(ImmutableArray<Tick> ticks)
    {
        foreach (var tick in ticks) await GrainFactory.GetGrain<ISecurityGrain>(tick.Security).Take(tick);
    }
}
