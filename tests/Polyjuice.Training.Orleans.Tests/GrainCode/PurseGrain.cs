using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Training.Orleans.Tests.GrainCode;

[Reentrant]
public sealed class PurseGrain([TransactionalState("money")] ITransactionalState<Money> money) : Grain, IPurseGrain
{
    public Task Open(long amount) => Add(amount);

    public Task Charge(long amount) => Add(amount);

    public Task Take(long amount) => Add(-amount);

    public Task Put(long amount) => Add(amount);

    public Task Settle(long amount) => Add(amount);

    private Task Add(long amount) => money.PerformUpdate(state => { state.Amount += amount; });
}

[GenerateSerializer]
public sealed class Money
{
    [Id(0)]
    public long Amount { get; set; }
}
