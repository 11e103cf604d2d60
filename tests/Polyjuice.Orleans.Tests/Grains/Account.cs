using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

[GenerateSerializer]
public sealed class Balance
{
    [Id(0)]
    public int Value { get; set; }
}

public interface IAccount : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Deposit(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Withdraw(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> GetBalance();
}

public interface ITeller : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task Transfer(long from, long to, int amount);

    [Transaction(TransactionOption.Create)]
    Task<int> Sum(long[] accounts);
}

[Reentrant]
public sealed class AccountGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IAccount
{
    public Task Deposit(int amount) => balance.PerformUpdate(state => state.Value += amount);

    public Task Withdraw(int amount) => balance.PerformUpdate(state =>
    {
        if (state.Value < amount) throw new InvalidOperationException("Insufficient funds.");
        return state.Value -= amount;
    });

    public Task<int> GetBalance() => balance.PerformRead(state => state.Value);
}

[StatelessWorker]
public sealed class TellerGrain : Grain, ITeller
{
    public async Task Transfer(long from, long to, int amount)
    {
        await GrainFactory.GetGrain<IAccount>(from).Withdraw(amount);
        await GrainFactory.GetGrain<IAccount>(to).Deposit(amount);
    }

    public async Task<int> Sum(long[] accounts)
    {
        var balances = await Task.WhenAll(
            accounts.Select(account => GrainFactory.GetGrain<IAccount>(account).GetBalance()));
        return balances.Sum();
    }
}
