using Orleans;
using Orleans.Concurrency;
using Smallbank.Grains;

namespace Smallbank.Plain;

/// <inheritdoc cref="IPlainAccountGrain"/>
[Reentrant]
public sealed class PlainAccountGrain : Grain, IPlainAccountGrain
{
    private long _checking;
    private long _savings;

    public Task Open(long checking, long savings)
    {
        _checking = checking;
        _savings = savings;
        return Task.CompletedTask;
    }

    public Task<long> Balance() => Task.FromResult(_savings + _checking);

    public Task DepositChecking(long amount)
    {
        _checking += amount;
        return Task.CompletedTask;
    }

    public Task TransactSavings(long amount)
    {
        if (_savings + amount < 0) throw new InsufficientFundsException();
        _savings += amount;
        return Task.CompletedTask;
    }

    public async Task Amalgamate(long into)
    {
        var all = _savings + _checking;
        _savings = _checking = 0;
        await GrainFactory.GetGrain<IPlainAccountGrain>(into).DepositChecking(all);
    }

    public Task<long> WriteCheck(long amount)
    {
        var taken = _savings + _checking < amount ? amount + Rules.OverdraftPenalty : amount;
        _checking -= taken;
        return Task.FromResult(taken);
    }

    public async Task<bool> SendPayment(long to, long amount)
    {
        if (!TryWithdraw(amount)) return false;
        await GrainFactory.GetGrain<IPlainAccountGrain>(to).DepositChecking(amount);
        return true;
    }

    public async Task MultiTransfer(long[] to, long amountEach)
    {
        if (!TryWithdraw(amountEach * to.Length)) throw new InsufficientFundsException();
        await Task.WhenAll(
            to.Select(key => GrainFactory.GetGrain<IPlainAccountGrain>(key).DepositChecking(amountEach)));
    }

    private bool TryWithdraw(long amount)
    {
        if (_checking < amount) return false;
        _checking -= amount;
        return true;
    }
}
