using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Testing.Tests.Clusters;

[GenerateSerializer]
public sealed class Coins
{
    [Id(0)]
    public long Count { get; set; }
}

public interface IPurse : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Put(long coins);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Count();

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Give(long to, long coins);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Pay(long to, long coins, long tally);
}

/// <summary>The smallest grain that others can pay.</summary>
[Reentrant]
public sealed class Purse([TransactionalState("coins")] ITransactionalState<Coins> coins) : Grain, IPurse
{
    public Task Put(long amount) => coins.PerformUpdate(state => { state.Count += amount; });

    public Task<long> Count() => coins.PerformRead(state => state.Count);

    public async Task Give(long to, long amount)
    {
        await coins.PerformUpdate(state => { state.Count -= amount; });
        await GrainFactory.GetGrain<IPurse>(to).Put(amount);
    }

    public async Task Pay(long to, long amount, long tally)
    {
        await Give(to, amount);
        await GrainFactory.GetGrain<IPurse>(tally).Put(1);
    }
}
