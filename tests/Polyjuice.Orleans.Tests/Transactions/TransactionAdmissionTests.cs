using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>Orleans' load shedding, with an overload that the test switches.</summary>
public sealed class TransactionAdmissionTests
{
    private readonly Overload _overload = new();

    [Fact]
    public async Task An_overloaded_silo_starts_no_transaction_and_says_so()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.Services.AddSingleton<ITransactionOverloadDetector>(_overload),
            client => client.UsePolyjuice());
        await cluster.Client.GetGrain<IAccount>(0).Deposit(100);
        var transactions = cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        var statistics = cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress)
            .GetRequiredService<ITransactionAgentStatistics>();
        var started = statistics.TransactionsStarted;

        _overload.Is = true;
        var byMethod = await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(
            () => cluster.Client.GetGrain<ITeller>(0).Transfer(0, 1, 30));
        var byClient = await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(
            () => transactions.RunTransaction(
                TransactionOption.Create, () => cluster.Client.GetGrain<IAccount>(0).Withdraw(30)));
        _overload.Is = false;

        Assert.IsType<OrleansTransactionOverloadException>(byMethod.InnerException);
        Assert.IsType<OrleansTransactionOverloadException>(byClient.InnerException);
        Assert.Equal(2, statistics.TransactionsThrottled);
        Assert.Equal(started, statistics.TransactionsStarted);
        Assert.Equal(100, await cluster.Client.GetGrain<IAccount>(0).GetBalance());
        await cluster.Client.GetGrain<ITeller>(0).Transfer(0, 1, 30);
        Assert.Equal(30, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
    }

    [Fact]
    public async Task A_transaction_that_runs_already_is_not_shed()
    {
        const long Key = 200;
        await using var cluster = await PolyjuiceCluster.StartAsync(
            2, silo => silo.Services.AddSingleton<ITransactionOverloadDetector>(_overload));
        var call = cluster.Client.GetGrain<IPatient>(Key).DepositAndIgnore(Key, CancellationToken.None);
        await PatientGrain.Reached(Key);

        _overload.Is = true;
        PatientGrain.Release(Key);
        await call;
        _overload.Is = false;

        Assert.Equal(1, await cluster.Client.GetGrain<IAccount>(Key).GetBalance());
    }

    private sealed class Overload : ITransactionOverloadDetector
    {
        public volatile bool Is;

        public bool IsOverloaded() => Is;
    }
}
