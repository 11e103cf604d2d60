using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads.Cold;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Tool.Cold;

/// <summary>One silo under one engine, whose grains' states are in rows.</summary>
internal sealed class ColdCluster : IAsyncDisposable
{
    private static readonly TimeSpan s_responseTimeout = TimeSpan.FromMinutes(2);
    private readonly InProcessTestCluster _cluster;

    private ColdCluster(InProcessTestCluster cluster, BenchmarkEngine engine, StorageCounts counts)
    {
        _cluster = cluster;
        Engine = engine;
        Counts = counts;
    }

    /// <summary>What runs its transactions.</summary>
    public BenchmarkEngine Engine { get; }

    /// <summary>What its provider was asked for.</summary>
    public StorageCounts Counts { get; }

    /// <summary>Who starts transactions.</summary>
    public IColdRootGrain Root => _cluster.Client.GetGrain<IColdRootGrain>(0);

    /// <summary>Starts one.</summary>
    public static async Task<ColdCluster> StartAsync(BenchmarkEngine engine, TimeSpan storageDelay)
    {
        var counts = new StorageCounts();
        var builder = new InProcessTestClusterBuilder(1).IgnoreSignals();
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.None));
            silo.Configure<SiloMessagingOptions>(messaging => messaging.ResponseTimeout = s_responseTimeout);
            silo.Services.AddGrainStorage(
                ColdGrain.Storage,
                (services, _) => new ColdStorage(
                    services.GetRequiredService<IGrainStorageSerializer>(), storageDelay, counts));
            if (engine.Kind == BenchmarkEngineKind.Orleans) silo.UseTransactions();
            else silo.UsePolyjuice(options => options.Engine.TransactionTimeoutMicroseconds = 60_000_000);
        });
        builder.ConfigureClient(
            client => client.Configure<ClientMessagingOptions>(
                messaging => messaging.ResponseTimeout = s_responseTimeout));
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return new(cluster, engine, counts);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // Nothing of it is kept.
        foreach (var silo in _cluster.Silos.ToArray()) await _cluster.KillSiloAsync(silo);
        await _cluster.DisposeAsync();
    }
}
