using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Lab.Workloads;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Silos;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Testing;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Clusters;

/// <summary>Orleans silos under Polyjuice in this process, and one thread that plays all clients.</summary>
internal sealed class PolyjuiceBenchmarkCluster : ITracingCluster
{
    private static int s_folders;
    private readonly PolyjuiceTestCluster _cluster;
    private readonly ClientLoop _clients = new();
    private readonly string? _folder;
    private readonly SegmentedLogStore? _logs;

    private PolyjuiceBenchmarkCluster(PolyjuiceTestCluster cluster, string? folder, SegmentedLogStore? logs)
    {
        _cluster = cluster;
        _folder = folder;
        _logs = logs;
        View = new WorkloadCluster(cluster.Grains, SiloOf, cluster.Silos.Count);
    }

    /// <inheritdoc/>
    public WorkloadCluster View { get; }

    /// <inheritdoc/>
    public ICallTarget CallTarget => _cluster.CallTarget;

    /// <inheritdoc/>
    public IReadOnlyList<(PolicyStore Policies, Func<EngineStatistics?> Load)> Processes =>
        [.. _cluster.Silos.Select(silo => (silo.Policies, LoadOf(silo.Observed)))];

    // Who follows tables may ask once more when the silo's services have gone.
    private static Func<EngineStatistics?> LoadOf(IObservedSilo engine) => () => engine.Statistics;

    /// <summary>Starts one.</summary>
    public static async Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => await StartTraceableAsync(shape);

    /// <summary>The same, for who wants to record what it does.</summary>
    public static async Task<ITracingCluster> StartTraceableAsync(ClusterShape shape)
    {
        ArgumentNullException.ThrowIfNull(shape);

        // Each cluster begins with nothing, whatever ran before.
        var folder = shape.DataFolder is null
            ? null
            : Path.Combine(shape.DataFolder, $"bench-{Environment.ProcessId}-{Interlocked.Increment(ref s_folders)}");
        var logs = shape.Logs is null
            ? null
            : await shape.Logs.OpenAsync(shape.Partitions ?? (shape.Silos * shape.EnginesPerSilo));
        var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Logs = logs;
            options.Silos = shape.Silos;
            options.EnginesPerSilo = shape.EnginesPerSilo;
            options.NetworkDelay = shape.NetworkLatency;
            options.AppendDelay = shape.AppendLatency;
            options.Partitions = logs is null ? shape.Partitions ?? 0 : 0;
            options.DataFolder = folder;
            options.PolicyStore = shape.PolicyStore;
            options.ResponseTimeout = shape.ResponseTimeout;
            options.ConfigureSilo = silo =>
            {
                if (shape.Engine.IsUngrouped)
                    silo.Services.Replace(ServiceDescriptor.Singleton<IGroupRules, NoGroups>());
                silo.Configure<PolyjuiceOptions>(polyjuice => polyjuice.OpenTransactions = shape.OpenTransactions);
                if (shape.Clock is { } clock)
                    silo.Services.AddKeyedSingleton(TransactionTimeProviderNames.Transactions, clock);
                shape.ConfigureSilo?.Invoke(silo);
            };
            if (shape.CheckpointBytes is { } bytes) options.ConfigureEngine = engine => engine.CheckpointBytes = bytes;
        });
        return new PolyjuiceBenchmarkCluster(cluster, folder, logs);
    }

    /// <inheritdoc/>
    public Task RunOnClientAsync(Func<Task> body) => _clients.RunAsync(body);

    /// <inheritdoc/>
    public async Task AwaitRestAsync()
    {
        while (_cluster.Silos.Any(static silo => silo.Engine.HasTransactions)) await Task.Delay(10);
    }

    /// <inheritdoc/>
    public void Swap(IPolicyCompiler policy) => _cluster.Swap(policy);

    /// <inheritdoc/>
    public void StartTrace(TraceRecorderOptions options, ITraceSink sink) => _cluster.StartTrace(options, sink);

    /// <inheritdoc/>
    public Task<TraceCounts> StopTraceAsync() => _cluster.StopTraceAsync();

    /// <inheritdoc/>
    public ClusterCounters Read()
    {
        // The engines' batches alone: calls and answers are Orleans' own business.
        var engine = _cluster.Statistics;
        return ClusterCounters.Of(engine, engine.MessageBatchesSent, engine.MessageBytesSent);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _cluster.DisposeAsync();
        if (_logs is not null) await _logs.DisposeAsync();
        _clients.Dispose();
        if (_folder is not null && Directory.Exists(_folder)) Directory.Delete(_folder, recursive: true);
    }

    // Grains without transactional states, such as plain twins, live where
    // Orleans puts them; this is where they would live if they had one.
    private int SiloOf(IAddressable grain)
    {
        var silos = _cluster.Silos;
        var owner = _cluster.SiloOf(grain)?.Name;
        return Enumerable.Range(0, silos.Count).First(i => silos[i].Name == owner);
    }
}
