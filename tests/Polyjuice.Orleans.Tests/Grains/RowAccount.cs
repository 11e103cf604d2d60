using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>An account whose state names a storage.</summary>
public interface IRowAccount : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Deposit(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> GetBalance();

    [Transaction(TransactionOption.Create)]
    Task TransferTo(long other, int amount);

    /// <summary>All of them are called before any has answered.</summary>
    [Transaction(TransactionOption.Create)]
    Task DepositToAll(long[] accounts, int amount);
}

[Reentrant]
public sealed class RowAccountGrain(
    [TransactionalState("balance", RowAccountGrain.Storage)] ITransactionalState<Balance> balance) : Grain, IRowAccount
{
    public const string Storage = "accounts";

    public Task<int> Deposit(int amount) => balance.PerformUpdate(state => state.Value += amount);

    public Task<int> GetBalance() => balance.PerformRead(state => state.Value);

    public async Task TransferTo(long other, int amount)
    {
        await Deposit(-amount);
        await GrainFactory.GetGrain<IRowAccount>(other).Deposit(amount);
    }

    public Task DepositToAll(long[] accounts, int amount) =>
        Task.WhenAll(accounts.Select(account => GrainFactory.GetGrain<IRowAccount>(account).Deposit(amount)));
}
