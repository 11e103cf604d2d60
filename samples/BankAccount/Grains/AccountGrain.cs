using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace BankAccount.Grains;

/// <inheritdoc cref="IAccountGrain"/>
[Reentrant]
public sealed class AccountGrain(
    [TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IAccountGrain
{
    /// <inheritdoc/>
    public Task Deposit(decimal amount) => balance.PerformUpdate(state => { state.Amount += amount; });

    /// <inheritdoc/>
    public Task Withdraw(decimal amount) => balance.PerformUpdate(state =>
    {
        if (state.Amount < amount)
            throw new InsufficientFundsException(this.GetPrimaryKeyString(), state.Amount, amount);
        state.Amount -= amount;
    });

    /// <inheritdoc/>
    public Task<decimal> GetBalance() => balance.PerformRead(state => state.Amount);
}
