using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Smallbank.Grains;

namespace SmallbankSilo.Grains;

/// <inheritdoc cref="IBankGrain"/>
[Reentrant]
public sealed class BankGrain([TransactionalState("bank")] ITransactionalState<BankState> bank) : Grain, IBankGrain
{
    // Of one transaction. Larger ones would take longer than a silo's other work should wait.
    private const int AccountsAtOnce = 200;

    /// <inheritdoc/>
    public async Task<BankInfo> OpenNext(BankTerms terms)
    {
        var (first, end) = await bank.PerformUpdate(state =>
        {
            state.Terms ??= terms;
            if (state.Terms != terms) throw new OtherTermsException(state.Terms);
            var first = state.Opened;
            state.Opened = Math.Min(first + AccountsAtOnce, terms.Accounts);
            return (first, state.Opened);
        });
        var accounts = Enumerable.Range(first + 1, end - first).Select(Account);
        await Task.WhenAll(accounts.Select(account => account.Open(terms.Checking, terms.Savings)));
        return new BankInfo(terms, end);
    }

    /// <inheritdoc/>
    public Task<BankInfo?> Read() =>
        bank.PerformRead(state => state.Terms is { } terms ? new BankInfo(terms, state.Opened) : null);

    /// <inheritdoc/>
    public async Task<long> Total()
    {
        var total = 0L;
        var opened = await bank.PerformRead(state => state.Opened);
        foreach (var some in Enumerable.Range(1, opened).Chunk(AccountsAtOnce))
            total += (await Task.WhenAll(some.Select(key => Account(key).Balance()))).Sum();
        return total;
    }

    private IAccountGrain Account(int key) => GrainFactory.GetGrain<IAccountGrain>(key);
}
