using Orleans;
using Orleans.Concurrency;

namespace BankAccount.Grains;

/// <inheritdoc cref="IAtmGrain"/>
[Reentrant]
public sealed class AtmGrain : Grain, IAtmGrain
{
    /// <inheritdoc/>
    public Task Transfer(IAccountGrain from, IAccountGrain to, decimal amount) =>
        // At the same time: if the withdrawal throws, the deposit has not happened either.
        Task.WhenAll(from.Withdraw(amount), to.Deposit(amount));

    /// <inheritdoc/>
    public async Task<decimal> Total(List<IAccountGrain> accounts) =>
        (await Task.WhenAll(accounts.Select(account => account.GetBalance()))).Sum();
}
