using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Catches what calls of its transactions throw.</summary>
public interface ICareful : IGrainWithIntegerKey
{
    /// <summary>
    /// Deposits in the first account, withdraws from the second one, and returns normally whatever comes of that.
    /// </summary>
    [Transaction(TransactionOption.Create)]
    Task TryTransfer(long to, long from, int amount);

    /// <summary>No transaction: calls one.</summary>
    Task WithdrawFrom(long account, int amount);
}

[Reentrant]
public sealed class CarefulGrain : Grain, ICareful
{
    public async Task TryTransfer(long to, long from, int amount)
    {
        await GrainFactory.GetGrain<IAccount>(to).Deposit(amount);
        try
        {
            await GrainFactory.GetGrain<IAccount>(from).Withdraw(amount);
        }
        catch (Exception)
        {
            // As careless code does.
        }
    }

    public Task WithdrawFrom(long account, int amount) => GrainFactory.GetGrain<IAccount>(account).Withdraw(amount);
}
