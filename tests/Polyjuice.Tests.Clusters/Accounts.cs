using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Tests.Clusters;

[GenerateSerializer]
public sealed class Balance
{
    [Id(0)]
    public long Coins { get; set; }
}

public interface IAccount : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(long coins);

    [Transaction(TransactionOption.Create)]
    Task Send(string to, long coins);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Get();
}

[Reentrant]
public sealed class AccountGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IAccount
{
    public Task Add(long coins) => balance.PerformUpdate(state => { state.Coins += coins; });

    public async Task Send(string to, long coins)
    {
        await balance.PerformUpdate(state => { state.Coins -= coins; });
        await GrainFactory.GetGrain<IAccount>(to).Add(coins);
    }

    public Task<long> Get() => balance.PerformRead(state => state.Coins);
}
