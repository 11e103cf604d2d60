using Polyjuice.Storage;
using Polyjuice.Testing;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Clusters;

/// <summary>
/// Whole clusters whose only memory is a store of logs, as tests: a store inherits them. Each test has a place of its
/// own.
/// </summary>
public abstract class ClusterOnLogsContract
{
    /// <summary>Opens the place of this test.</summary>
    private protected abstract Task<SegmentedLogStore> OpenAsync();

    /// <summary>Has the server go down in the middle of whatever it does, and come back.</summary>
    protected abstract Task CrashServerAsync();

    [ConditionalFact]
    public async Task A_cluster_that_was_killed_and_started_anew_has_all_money_and_every_acknowledged_transfer()
    {
        var load = new TransferLoad();
        await using (var store = await OpenAsync())
        await using (var cluster = await StartAsync(store))
        {
            await TransferLoad.FillAsync(cluster);
            var clients = load.RunAsync(cluster);
            await load.Acknowledged(60);
            var (first, second) = (cluster.Silos[0], cluster.Silos[1]);
            await second.CrashAsync();
            await load.Acknowledged(load.Total + 60);
            load.End();
            await first.CrashAsync();
            await clients;
        }

        await using var storeAgain = await OpenAsync();
        await using var clusterAgain = await StartAsync(storeAgain);
        await load.CheckAsync(clusterAgain);
        await clusterAgain.Grains.GetGrain<IAccount>("purse0").Send("book0", 1);
    }

    [ConditionalFact]
    public async Task A_cluster_whose_server_is_killed_goes_on_by_itself_and_keeps_every_acknowledged_transfer()
    {
        var load = new TransferLoad();
        await using (var store = await OpenAsync())
        await using (var cluster = await StartAsync(store))
        {
            await TransferLoad.FillAsync(cluster);
            var clients = load.RunAsync(cluster);
            for (var crash = 0; crash < 2; crash++)
            {
                await load.Acknowledged(load.Total + 60);
                await CrashServerAsync();
            }

            await load.Acknowledged(load.Total + 60);
            load.End();
            await clients;
            await load.CheckAsync(cluster);
        }

        await using var storeAgain = await OpenAsync();
        await using var clusterAgain = await StartAsync(storeAgain);
        await load.CheckAsync(clusterAgain);
    }

    [ConditionalFact]
    public async Task Partitions_go_to_another_silo_and_back_under_load_and_no_transfer_is_lost()
    {
        var load = new TransferLoad();
        await using var store = await OpenAsync();
        await using var cluster = await StartAsync(store);
        await TransferLoad.FillAsync(cluster);
        var clients = load.RunAsync(cluster);
        await load.Acknowledged(60);
        await cluster.Silos[1].LeaveAsync();
        await load.Acknowledged(load.Total + 60);
        await cluster.StartSiloAsync();
        await load.Acknowledged(load.Total + 60);
        load.End();
        await clients;
        await load.CheckAsync(cluster);
    }

    private static Task<PolyjuiceTestCluster> StartAsync(SegmentedLogStore store) =>
        PolyjuiceTestCluster.StartAsync(options =>
    {
        options.Logs = store;
        options.ResponseTimeout = TimeSpan.FromSeconds(10);
    });
}
