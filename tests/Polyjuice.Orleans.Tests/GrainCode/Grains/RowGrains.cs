using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>A balance in a row, and one in the logs.</summary>
public interface ISavings : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Save(int amount);

    [Transaction(TransactionOption.Create)]
    Task SaveFrom(string account, int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    [ReadOnly]
    Task<(int Saved, int InLog)> Get();

    Task Leave();
}

[Reentrant]
public sealed class SavingsGrain(
    [TransactionalState("saved", "rows")] ITransactionalState<Balance> saved,
    [TransactionalState("noted")] ITransactionalState<Balance> noted) : Grain, ISavings
{
    public async Task Save(int amount)
    {
        await saved.PerformUpdate(state => { state.Value += amount; });
        await noted.PerformUpdate(state => { state.Value += amount; });
    }

    public async Task SaveFrom(string account, int amount)
    {
        await Save(amount);
        await GrainFactory.GetGrain<IWallet>(account).AddJoined(-amount);
    }

    public async Task<(int Saved, int InLog)> Get() =>
        (await saved.PerformRead(state => state.Value), await noted.PerformRead(state => state.Value));

    public Task Leave()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }
}
