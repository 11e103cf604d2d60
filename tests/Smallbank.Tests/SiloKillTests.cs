using Orleans;
using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Testing;
using Polyjuice.Tracing;
using Smallbank.Grains;

namespace Smallbank.Tests;

/// <summary>
/// Silos die under load. A transfer moves money between two accounts and none in or out, so the total must be exact
/// whatever was in flight; and each client counts what it was told, so that no acknowledged transfer may be missing.
/// </summary>
public class SiloKillTests
{
    private const int Accounts = 40;
    private const int Clients = 8;
    private const long Opening = 1_000_000;

    [Theory]
    [InlineData("dirty-public")]
    [InlineData("locking")]
    [InlineData("occ")]
    public async Task No_acknowledged_transfer_is_lost_and_none_is_half_done_when_silos_are_killed(string policy)
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Partitions = 4;
            options.Policy = policy;
            options.ResponseTimeout = TimeSpan.FromSeconds(10);
        });
        for (var account = 0; account < Accounts; account++) await Account(cluster, account).Open(Opening, 0);

        // Every client has a pair of accounts of its own to count by, next to the hot ones that all share.
        using var stop = new CancellationTokenSource();
        var acknowledged = new long[Clients];
        var uncertain = new long[Clients];
        var progress = new SemaphoreSlim(0);
        var load = Enumerable.Range(0, Clients).Select(client => Task.Run(() => TransferAsync(client))).ToArray();
        for (var kill = 0; kill < 6; kill++)
        {
            for (var i = 0; i < 40; i++)
                Assert.True(await progress.WaitAsync(TimeSpan.FromMinutes(2)), "no transfer committed for two minutes");
            await cluster.Silos[kill % 2].CrashAsync();
            await cluster.StartSiloAsync();
        }

        await stop.CancelAsync();
        await Task.WhenAll(load);
        var balances = await BalancesAsync(cluster);
        Assert.Equal(Accounts * Opening, balances.Sum());
        for (var client = 0; client < Clients; client++)
        {
            var moved = balances[Own(client)] - Opening;
            Assert.InRange(moved, acknowledged[client], acknowledged[client] + uncertain[client]);
        }

        Assert.True(acknowledged.Sum() > 0);

        async Task TransferAsync(int client)
        {
            for (var n = 0; !stop.IsCancellationRequested; n++)
            {
                try
                {
                    // From a hot account into the client's own.
                    if (await Account(cluster, n % 4).SendPayment(Own(client), 1))
                    {
                        acknowledged[client]++;
                        progress.Release();
                    }
                }
                catch (Exception exception)
                    when (exception is OrleansTransactionException or OrleansMessageRejectionException
                        or ConnectionFailedException or TimeoutException)
                {
                    if (CallOutcomes.Of(exception) == CallOutcome.InDoubt) uncertain[client]++;
                }
            }
        }
    }

    private static int Own(int client) => 10 + client;

    private static IAccountGrain Account(PolyjuiceTestCluster cluster, long account) =>
        cluster.Grains.GetGrain<IAccountGrain>(account);

    // In one transaction: a transfer in doubt may still land, and separate reads would see half of it.
    private static async Task<long[]> BalancesAsync(PolyjuiceTestCluster cluster)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                var balances = new long[Accounts];
                await cluster.Transactions.RunTransaction(TransactionOption.Create, async () =>
                {
                    for (var account = 0; account < Accounts; account++)
                        balances[account] = await Account(cluster, account).Balance();
                });
                return balances;
            }
            catch (Exception exception) when (attempt < 5 && exception is OrleansException or TimeoutException)
            {
            }
        }
    }
}
