using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Policies;

namespace Polyjuice.Orleans.Tests;

public sealed class CancellationTests(TwoSilos fixture) : IClassFixture<TwoSilos>
{
    // Accounts 0 to 3 are in different partitions, some of them on the other silo.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_cancelled_call_aborts_and_leaves_nothing(long account)
    {
        using var cancellation = new CancellationTokenSource();
        var call = fixture.Cluster.Client.GetGrain<IPatient>(account).DepositAndWait(account, cancellation.Token);
        await PatientGrain.Reached(account);

        await cancellation.CancelAsync();

        AssertCancelled(await Record.ExceptionAsync(() => call));
        Assert.Equal(0, await fixture.Cluster.Client.GetGrain<IAccount>(account).GetBalance());
    }

    [Fact]
    public async Task Cancellation_aborts_what_code_holds_that_does_not_look_at_its_token()
    {
        const long Key = 100;

        // Who accesses the same waits for it until it is aborted: the
        // word of the cancellation takes its own way to the silo.
        Swap("locking");
        using var cancellation = new CancellationTokenSource();
        var call = fixture.Cluster.Client.GetGrain<IPatient>(Key).DepositAndIgnore(Key, cancellation.Token);
        await PatientGrain.Reached(Key);

        await cancellation.CancelAsync();

        // Others go on, though the code is still there.
        await fixture.Cluster.Client.GetGrain<IAccount>(Key).Deposit(5);
        PatientGrain.Release(Key);
        AssertCancelled(await Record.ExceptionAsync(() => call));
        Assert.Equal(5, await fixture.Cluster.Client.GetGrain<IAccount>(Key).GetBalance());
        Swap("occ");
    }

    [Fact]
    public async Task A_call_that_is_cancelled_before_it_is_made_does_nothing()
    {
        const long Key = 101;
        AssertCancelled(
            await Record.ExceptionAsync(
                () => fixture.Cluster.Client.GetGrain<IPatient>(Key)
                    .DepositAndWait(Key, new CancellationToken(canceled: true))));
        Assert.Equal(0, await fixture.Cluster.Client.GetGrain<IAccount>(Key).GetBalance());
    }

    private void Swap(string policy)
    {
        foreach (var silo in fixture.Cluster.Silos)
            silo.ServiceProvider.GetRequiredService<PolicyStore>().Swap(BuiltinPolicies.Get(policy));
    }

    // The client hears it from its own token, or from the transaction.
    private static void AssertCancelled(Exception? exception) =>
        Assert.True(
            exception is OperationCanceledException
                or OrleansTransactionAbortedException { InnerException: OperationCanceledException },
            $"{exception}");
}
