using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace PolyjuiceBank.Grains;

[GenerateSerializer]
public sealed class Balance
{
    [Id(0)]
    public decimal Amount { get; set; }
}

// Reentrant: while one transaction waits for another, the grain takes further calls.
[Reentrant]
public sealed class AccountGrain([TransactionalState("balance")] ITransactionalState<Balance> balance)
    : Grain, IAccountGrain
{
    /// <summary>The account that fees go to.</summary>
    public const string Bank = "the bank";

    /// <summary>What one payment costs.</summary>
    public const decimal Fee = 0.01m;

    public Task Deposit(decimal amount) => balance.PerformUpdate(state => { state.Amount += amount; });

    public Task<decimal> GetBalance() => balance.PerformRead(state => state.Amount);

    public async Task<bool> Pay(string shop, decimal amount)
    {
        if (!await Withdraw(amount + Fee)) return false;
        await Account(shop).Deposit(amount);
        await Account(Bank).Deposit(Fee);
        return true;
    }

    public async Task<bool> Refund(string customer, decimal amount)
    {
        if (!await Withdraw(amount)) return false;
        await Account(customer).Deposit(amount);
        return true;
    }

    public async Task<decimal> GetTotal(string[] others)
    {
        var total = await GetBalance();
        foreach (var other in others) total += await Account(other).GetBalance();
        return total;
    }

    private Task<bool> Withdraw(decimal amount) => balance.PerformUpdate(state =>
    {
        if (state.Amount < amount) return false;
        state.Amount -= amount;
        return true;
    });

    private IAccountGrain Account(string name) => GrainFactory.GetGrain<IAccountGrain>(name);
}
