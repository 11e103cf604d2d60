using BankAccount.Grains;
using Orleans.Transactions;

namespace BankAccount.Tests;

public sealed class AtmGrainTests(RunningBank bank) : IClassFixture<RunningBank>
{
    [Fact]
    public async Task A_transfer_changes_both_accounts()
    {
        var (from, to) = (Account("payer"), Account("payee"));
        await from.Deposit(100);
        await bank.Grains.GetGrain<IAtmGrain>(1).Transfer(from, to, 30.25m);
        Assert.Equal(69.75m, await from.GetBalance());
        Assert.Equal(30.25m, await to.GetBalance());
    }

    [Fact]
    public async Task A_transfer_that_is_not_covered_changes_neither_and_says_why()
    {
        var (from, to) = (Account("poor"), Account("rich"));
        await from.Deposit(10);
        var abort = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => bank.Grains.GetGrain<IAtmGrain>(1).Transfer(from, to, 10.01m));
        Assert.Equal(
            "poor has 10.00 and not 10.01", Assert.IsType<InsufficientFundsException>(abort.InnerException).Message);
        Assert.Equal(10, await from.GetBalance());
        Assert.Equal(0, await to.GetBalance());
    }

    [Fact]
    public async Task A_total_is_of_one_moment_whatever_moves_meanwhile()
    {
        var (left, right) = (Account("left"), Account("right"));
        await left.Deposit(1_000);
        var totals = new List<decimal>();
        var moving = Task.WhenAll(
            Enumerable.Range(0, 30).Select(_ => bank.Grains.GetGrain<IAtmGrain>(1).Transfer(left, right, 5)));
        do totals.Add(await bank.Grains.GetGrain<IAtmGrain>(2).Total([left, right]));
        while (!moving.IsCompleted);
        await moving;
        Assert.All(totals, total => Assert.Equal(1_000, total));
        Assert.Equal(150, await right.GetBalance());
    }

    private IAccountGrain Account(string owner) => bank.Grains.GetGrain<IAccountGrain>(owner);
}
