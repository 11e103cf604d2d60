using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Testing;
using Polyjuice.Tests.Clusters;

namespace Polyjuice.Storage.AzureBlobs.Tests.Hosting;

/// <summary>Whole clusters whose only memory is a container of blobs.</summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class ClusterOnBlobsTests(AzuriteFixture azurite)
{
    private const int Clients = 8;
    private const long Coins = 1_000;

    [ConditionalFact]
    public async Task A_cluster_that_was_killed_and_started_anew_has_all_money_and_every_acknowledged_transfer()
    {
        var options = azurite.NewOptions();
        var load = new Load();
        await using (var store = await Open(options))
        await using (var cluster = await Start(store))
        {
            for (var i = 0; i < Clients; i++) await cluster.Grains.GetGrain<IAccount>($"purse{i}").Add(Coins);
            var clients = Enumerable.Range(0, Clients).Select(client => load.RunAsync(cluster, client)).ToList();
            await load.Acknowledged(60);
            var (first, second) = (cluster.Silos[0], cluster.Silos[1]);
            await second.CrashAsync();
            await load.Acknowledged(120);
            load.IsEnding = true;
            await first.CrashAsync();
            await Task.WhenAll(clients);
        }

        await using var storeAgain = await Open(options);
        await using var clusterAgain = await Start(storeAgain);
        long all = 0;
        for (var client = 0; client < Clients; client++)
        {
            all += await clusterAgain.Grains.GetGrain<IAccount>($"purse{client}").Get();
            var received = await clusterAgain.Grains.GetGrain<IAccount>($"book{client}").Get();
            Assert.InRange(received, load.Known[client], load.Known[client] + load.InDoubt[client]);
            all += received;
        }

        Assert.Equal(Clients * Coins, all);
        await clusterAgain.Grains.GetGrain<IAccount>("purse0").Send("book0", 1);
    }

    private static Task<SegmentedLogStore> Open(AzureBlobLogOptions options) =>
        AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default);

    private static Task<PolyjuiceTestCluster> Start(SegmentedLogStore store) =>
        PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Logs = store;
            options.ResponseTimeout = TimeSpan.FromSeconds(10);
        });

    /// <summary>
    /// Clients that send coins from shared purses to books of their own, and remember what they were told.
    /// </summary>
    private sealed class Load
    {
        private readonly Lock _gate = new();
        private readonly List<(int Count, TaskCompletionSource Reached)> _waiting = [];
        private int _total;

        public long[] Known { get; } = new long[Clients];

        public long[] InDoubt { get; } = new long[Clients];

        public volatile bool IsEnding;

        public Task Acknowledged(int count)
        {
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_gate)
            {
                if (_total >= count) return Task.CompletedTask;
                _waiting.Add((count, reached));
            }

            return reached.Task;
        }

        public async Task RunAsync(PolyjuiceTestCluster cluster, int client)
        {
            for (var i = 0; ; i++)
            {
                try
                {
                    await cluster.Grains.GetGrain<IAccount>($"purse{(client + i) % Clients}").Send($"book{client}", 1);
                    Known[client]++;
                    Count();
                }
                catch (Exception)
                {
                    // Whatever it says: it may have happened, or not, and never half.
                    InDoubt[client]++;
                    if (IsEnding) return;
                }
            }
        }

        private void Count()
        {
            lock (_gate)
            {
                _total++;
                foreach (var (_, reached) in _waiting.Where(waiting => _total >= waiting.Count)) reached.TrySetResult();
            }
        }
    }
}
