using Orleans;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Xunit.Abstractions;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>Partitions that change hands while clients go on.</summary>
public sealed class HandOverTests(ITestOutputHelper output)
{
    private const int Accounts = 24;
    private const int Opening = 1_000;
    private const int Clients = 8;

    [Fact]
    public async Task A_silo_that_joins_fails_no_transaction() =>
        await FailsNoTransaction(2, async cluster => await cluster.StartAdditionalSiloAsync());

    [Fact]
    public async Task A_silo_that_leaves_in_good_order_fails_no_transaction() =>
        await FailsNoTransaction(3, async cluster => await cluster.StopSiloAsync(cluster.Silos[1]));

    // A client's calls go by what the silo that it is connected to
    // remembers, and what comes of them does not pass that silo again.
    [Fact]
    public async Task Calls_by_an_old_address_reach_the_grain_in_its_new_place()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(2);
        var accounts = Enumerable.Range(0, Accounts).Select(key => cluster.Client.GetGrain<IAccount>(key)).ToArray();
        foreach (var account in accounts) await account.Deposit(Opening);
        await cluster.StartAdditionalSiloAsync();
        await cluster.WaitForLivenessToStabilizeAsync();

        foreach (var account in accounts) await MovedAsync(account);
        for (var round = 0; round < 3; round++)
        {
            foreach (var account in accounts) Assert.Equal(Opening, await account.GetBalance());
        }
    }

    // Its partition may be on its way still. A client without Polyjuice is told, and calls again.
    private static async Task MovedAsync(IAccount account)
    {
        while (true)
        {
            try
            {
                await account.GetBalance();
                return;
            }
            catch (TransactionConflictException exception) when (exception.Reason == AbortReason.OwnerChanged)
            {
            }
        }
    }

    private async Task FailsNoTransaction(int silos, Func<InProcessTestCluster, Task> change)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            silos, configureClient: client => client.UsePolyjuice());
        for (var key = 0; key < Accounts; key++) await cluster.Client.GetGrain<IAccount>(key).Deposit(Opening);
        var load = new TransferLoad(cluster.Client, Accounts);
        var clients = load.Start(Clients);
        try
        {
            await load.CommitMoreAsync(200);
            await change(cluster);
            await load.CommitMoreAsync(400);
        }
        finally
        {
            await load.StopAsync(clients);
        }

        foreach (var failure in load.Failures) output.WriteLine(failure.ToString());
        Assert.Empty(load.Failures);

        // Orleans loses answers that a silo has not sent when it ends, and clients send again what they were writing to
        // it. A client has one call under way, so that may happen to each once, and what became of those calls is open.
        Assert.InRange(load.Unanswered, 0, Clients);
        var made = await cluster.Client.GetGrain<ITeller>(0)
            .Sum([.. Enumerable.Range(0, Accounts).Select(key => (long)key)]) - (Accounts * Opening);
        Assert.InRange(made, load.Deposited, load.Deposited + load.Unanswered);
    }
}
