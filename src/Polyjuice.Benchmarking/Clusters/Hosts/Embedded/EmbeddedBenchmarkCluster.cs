using Orleans;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.Benchmarking.Clusters;

/// <summary>A cluster within this process.</summary>
public sealed class EmbeddedBenchmarkCluster : ITracingCluster
{
    private static int s_folders;
    private readonly EmbeddedCluster _cluster;
    private readonly string? _folder;

    private EmbeddedBenchmarkCluster(EmbeddedCluster cluster, string? folder)
    {
        _cluster = cluster;
        _folder = folder;
        View = new WorkloadCluster(cluster.Client, SiloOf, cluster.Silos.Count);
    }

    /// <inheritdoc/>
    public WorkloadCluster View { get; }

    /// <summary>Starts one.</summary>
    public static async Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => await StartTraceableAsync(shape);

    /// <summary>The same, for who wants to record what it does.</summary>
    public static async Task<ITracingCluster> StartTraceableAsync(ClusterShape shape)
    {
        // Each cluster begins with nothing, whatever ran before.
        var folder = shape.DataFolder is null ? null : Path.Combine(shape.DataFolder, $"bench-{Environment.ProcessId}-{Interlocked.Increment(ref s_folders)}");
        var options = new EmbeddedClusterOptions
        {
            Silos = shape.Silos,
            NetworkLatency = shape.NetworkLatency,
            AppendLatency = shape.AppendLatency,
            Partitions = shape.Partitions ?? 0,
            Seed = shape.Seed,
            Data = folder ?? EmbeddedCluster.MemoryData,
            PolicyStore = shape.PolicyStore,
        };
        if (shape.CheckpointBytes is { } bytes) options.Engine.CheckpointBytes = bytes;
        return new EmbeddedBenchmarkCluster(await EmbeddedCluster.StartAsync(options), folder);
    }

    /// <inheritdoc/>
    public Task RunOnClientAsync(Func<Task> body) => _cluster.Client.RunAsync(body);

    /// <inheritdoc/>
    public void Swap(IPolicyCompiler policy) => _cluster.Policies.Swap(policy);

    /// <inheritdoc/>
    public IReadOnlyList<(PolicyStore Policies, Func<EngineStatistics?> Load)> Processes => [(_cluster.Policies, () => _cluster.Statistics.Engine)];

    /// <inheritdoc/>
    public LoopPauses TakePauses() => _cluster.TakePauses();

    /// <inheritdoc/>
    public ICallTarget CallTarget => _cluster.CallTarget;

    /// <inheritdoc/>
    public Task StartTraceAsync(TraceRecorderOptions options, ITraceSink sink) => _cluster.StartTraceAsync(options, sink);

    /// <inheritdoc/>
    public Task<TraceCounts> StopTraceAsync() => _cluster.StopTraceAsync();

    /// <inheritdoc/>
    public ClusterCounters Read()
    {
        var statistics = _cluster.Statistics;
        return ClusterCounters.Of(statistics.Engine, statistics.Messages, statistics.MessageBytes);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _cluster.DisposeAsync();
        if (_folder is not null) Directory.Delete(_folder, recursive: true);
    }

    // While all silos run, partitions are dealt to them in turn.
    private int SiloOf(IAddressable grain) => StableHash.Partition(grain.GetGrainId().ToString(), _cluster.Partitions) % _cluster.Silos.Count;
}
