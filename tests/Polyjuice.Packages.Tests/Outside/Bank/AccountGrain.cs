using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Bank;

[GenerateSerializer]
public sealed class Money
{
    [Id(0)]
    public long Amount { get; set; }
}

[Reentrant]
public sealed class AccountGrain([TransactionalState("money")] ITransactionalState<Money> money) : Grain, IAccountGrain
{
    public Task Deposit(long amount) => money.PerformUpdate(state => { state.Amount += amount; });

    public Task<long> Balance() => money.PerformRead(state => state.Amount);

    public async Task<bool> Send(IAccountGrain to, long amount)
    {
        var isCovered = await money.PerformUpdate(state =>
        {
            if (state.Amount < amount) return false;
            state.Amount -= amount;
            return true;
        });
        if (isCovered) await to.Deposit(amount);
        return isCovered;
    }
}
