using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.House;

/// <summary>The state of a <see cref="HousePurseGrain"/>.</summary>
[GenerateSerializer]
public sealed class PurseState
{
    /// <summary>What is in it.</summary>
    [Id(0)]
    public long Amount { get; set; }
}

/// <inheritdoc cref="IHousePurseGrain"/>
[Reentrant]
public sealed class HousePurseGrain([TransactionalState("purse")] ITransactionalState<PurseState> purse)
    : Grain, IHousePurseGrain
{
    /// <inheritdoc/>
    public Task Charge(long amount) => Add(amount);

    /// <inheritdoc/>
    public Task Take(long amount) => Add(-amount);

    /// <inheritdoc/>
    public Task Put(long amount) => Add(amount);

    /// <inheritdoc/>
    public Task Settle(long amount) => Add(amount);

    /// <inheritdoc/>
    public Task<long> Count() => purse.PerformRead(state => state.Amount);

    private Task Add(long amount) => purse.PerformUpdate(state => { state.Amount += amount; });
}
