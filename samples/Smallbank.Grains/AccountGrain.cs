using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Smallbank.Grains;

/// <summary>
/// Checking and savings are separate transactional states: transactions that touch different ones do not conflict.
/// Reentrant, so that one transaction's wait does not hold up the others' calls.
/// </summary>
[Reentrant]
public sealed class AccountGrain(
    [TransactionalState("checking")] ITransactionalState<Money> checking,
    [TransactionalState("savings")] ITransactionalState<Money> savings)
    : Grain, IAccountGrain
{
    public async Task Open(long checkingAmount, long savingsAmount)
    {
        await checking.PerformUpdate(state => { state.Cents = checkingAmount; });
        await savings.PerformUpdate(state => { state.Cents = savingsAmount; });
    }

    public async Task<long> Balance()
    {
        var inSavings = await savings.PerformRead(state => state.Cents);
        return inSavings + await checking.PerformRead(state => state.Cents);
    }

    public Task DepositChecking(long amount) => checking.PerformUpdate(state => { state.Cents += amount; });

    public Task TransactSavings(long amount) => savings.PerformUpdate(state =>
    {
        if (state.Cents + amount < 0) throw new InsufficientFundsException();
        state.Cents += amount;
    });

    public async Task Amalgamate(long into)
    {
        var all = await savings.PerformUpdate(TakeAll) + await checking.PerformUpdate(TakeAll);
        await GrainFactory.GetGrain<IAccountGrain>(into).DepositChecking(all);
    }

    public async Task<long> WriteCheck(long amount)
    {
        var inSavings = await savings.PerformRead(state => state.Cents);
        return await checking.PerformUpdate(state =>
        {
            var taken = inSavings + state.Cents < amount ? amount + Rules.OverdraftPenalty : amount;
            state.Cents -= taken;
            return taken;
        });
    }

    public async Task<bool> SendPayment(long to, long amount)
    {
        if (!await checking.PerformUpdate(state => TryWithdraw(state, amount))) return false;
        await GrainFactory.GetGrain<IAccountGrain>(to).DepositChecking(amount);
        return true;
    }

    public async Task MultiTransfer(long[] to, long amountEach)
    {
        await checking.PerformUpdate(state =>
        {
            // An exception aborts the transaction that it leaves.
            if (!TryWithdraw(state, amountEach * to.Length)) throw new InsufficientFundsException();
        });
        await Task.WhenAll(to.Select(key => GrainFactory.GetGrain<IAccountGrain>(key).DepositChecking(amountEach)));
    }

    private static long TakeAll(Money state)
    {
        var all = state.Cents;
        state.Cents = 0;
        return all;
    }

    private static bool TryWithdraw(Money state, long amount)
    {
        if (state.Cents < amount) return false;
        state.Cents -= amount;
        return true;
    }
}
