using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Runtime.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Polyjuice.Contracts;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Clusters;

/// <summary>
/// Orleans silos in this process without Polyjuice: with Orleans' own transactions, or with none. Grains are placed at
/// random, because Orleans prefers the caller's silo otherwise, and two silos would be measured as one.
/// </summary>
internal sealed class BareBenchmarkCluster : IBenchmarkCluster
{
    private const string Store = "memory";

    private readonly InProcessTestCluster _cluster;
    private readonly ClientLoop _clients = new();

    private BareBenchmarkCluster(InProcessTestCluster cluster)
    {
        _cluster = cluster;
        View = new WorkloadCluster(cluster.Client, SiloOf, cluster.Silos.Count);
    }

    /// <inheritdoc/>
    public WorkloadCluster View { get; }

    /// <inheritdoc/>
    public IReadOnlyList<(PolicyStore Policies, Func<EngineStatistics?> Load)> Processes => [];

    /// <summary>Starts one.</summary>
    /// <exception cref="NotSupportedException">
    /// Orleans' own transactions in local files: it has no storage provider for them.
    /// </exception>
    public static async Task<IBenchmarkCluster> StartAsync(ClusterShape shape)
    {
        ArgumentNullException.ThrowIfNull(shape);
        if (!BenchmarkClusters.CanStart(shape))
            throw new NotSupportedException(
                "Orleans' own transactions can't be measured on local files: Orleans has no storage "
                + "provider for them.");
        var builder = new InProcessTestClusterBuilder((short)shape.Silos).IgnoreSignals();
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.None));
            silo.Services.AddSingleton<PlacementStrategy, RandomPlacement>();
            silo.Configure<SiloMessagingOptions>(messaging => messaging.ResponseTimeout = shape.ResponseTimeout);
            if (shape.Engine.Kind == BenchmarkEngineKind.Orleans) UseOrleans(silo, shape);
            else silo.UsePlainStates();
        });
        builder.ConfigureClient(
            client => client.Configure<ClientMessagingOptions>(
                messaging => messaging.ResponseTimeout = shape.ResponseTimeout));
        if (shape.NetworkLatency > TimeSpan.Zero) builder.UseNetwork(new ClusterNetwork(shape.NetworkLatency));
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return new BareBenchmarkCluster(cluster);
    }

    /// <inheritdoc/>
    public Task RunOnClientAsync(Func<Task> body) => _clients.RunAsync(body);

    /// <summary>Nothing here goes by a policy.</summary>
    public void Swap(IPolicyCompiler policy)
    {
    }

    /// <summary>Orleans counts nothing of the kind.</summary>
    public ClusterCounters Read() => new();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // Nothing of it is kept, and silos that stop in good order wait for grains that wait for locks.
        foreach (var silo in _cluster.Silos.ToArray()) await _cluster.KillSiloAsync(silo);
        await _cluster.DisposeAsync();
        _clients.Dispose();
    }

    private static void UseOrleans(ISiloBuilder silo, ClusterShape shape)
    {
        silo.UseTransactions();
        if (shape.Engine.LockTimeout is { } timeout)
            silo.Configure<TransactionalStateOptions>(
                options => options.LockTimeout = options.LockAcquireTimeout = timeout);
        if (shape.AppendLatency == TimeSpan.Zero)
        {
            silo.AddMemoryGrainStorageAsDefault();
            return;
        }

        silo.AddMemoryGrainStorage(Store);
        silo.Services.AddGrainStorage(
            "Default",
            (services, _) => new SlowGrainStorage(
                services.GetRequiredKeyedService<IGrainStorage>(Store), shape.AppendLatency));
    }

    // By a hash, as far as it matters to workloads that want a grain
    // on each silo: where a grain really is, only its directory knows.
    private int SiloOf(IAddressable grain) =>
        (int)(Contracts.StableHash.Partition(grain.GetGrainId().ToString(), _cluster.Silos.Count));
}
