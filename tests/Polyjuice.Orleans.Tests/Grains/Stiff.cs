using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>A counter whose grain does one thing at a time.</summary>
public interface IStiffCounter : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Add(int amount);
}

public interface IStiffUser : IGrainWithIntegerKey
{
    /// <summary>Adds to one counter twice in one transaction.</summary>
    [Transaction(TransactionOption.Create)]
    Task AddTwice(long counter);
}

public sealed class StiffCounterGrain(
    [TransactionalState("count")] ITransactionalState<Balance> count) : Grain, IStiffCounter
{
    public Task<int> Add(int amount) => count.PerformUpdate(state => state.Value += amount);
}

[StatelessWorker]
public sealed class StiffUserGrain : Grain, IStiffUser
{
    public async Task AddTwice(long counter)
    {
        await GrainFactory.GetGrain<IStiffCounter>(counter).Add(1);
        await GrainFactory.GetGrain<IStiffCounter>(counter).Add(1);
    }
}
