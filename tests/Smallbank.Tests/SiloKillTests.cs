using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Embedded;
using Smallbank.Grains;

namespace Smallbank.Tests;

/// <summary>
/// Silos die under load. A transfer moves money between two accounts and none in or out, so the total must be exact whatever was
/// in flight; and each client counts what it was told, so that no acknowledged transfer may be missing.
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
        await using var cluster = await EmbeddedCluster.StartAsync(new EmbeddedClusterOptions
        {
            Silos = 2,
            Partitions = 4,
            PolicyName = policy,
            ResponseTimeout = TimeSpan.FromSeconds(3),
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
            for (var i = 0; i < 40; i++) Assert.True(await progress.WaitAsync(TimeSpan.FromSeconds(30)), "no transfer committed for half a minute");
            var victim = cluster.Silos[kill % 2];
            await victim.KillAsync();
            await victim.RestartAsync();
        }

        await stop.CancelAsync();
        await Task.WhenAll(load);
        long total = 0;
        for (var account = 0; account < Accounts; account++) total += await BalanceAsync(cluster, account);
        Assert.Equal(Accounts * Opening, total);
        for (var client = 0; client < Clients; client++)
        {
            var moved = await BalanceAsync(cluster, Own(client)) - Opening;
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
                catch (OrleansMessageRejectionException)
                {
                    // The grain moved while the call waited for its turn: it never ran.
                }
                catch (Exception exception) when (exception is OrleansTransactionException or SiloUnavailableException or TimeoutException)
                {
                    // An abort says that nothing happened; anything else leaves it open.
                    if (exception is not OrleansTransactionAbortedException || exception is OrleansTransactionInDoubtException) uncertain[client]++;
                }
            }
        }
    }

    private static int Own(int client) => 10 + client;

    private static IAccountGrain Account(EmbeddedCluster cluster, long account) => cluster.Client.GetGrain<IAccountGrain>(account);

    private static async Task<long> BalanceAsync(EmbeddedCluster cluster, long account)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                return await Account(cluster, account).Balance();
            }
            catch (Exception exception) when (attempt < 5 && exception is OrleansException or SiloUnavailableException or TimeoutException)
            {
            }
        }
    }
}
