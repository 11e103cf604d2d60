using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans;
using Polyjuice.Embedded.Core;
using Polyjuice.Embedded.RealTime;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Embedded;

/// <summary>
/// Silos in this process, a thread each, and a client. Not Orleans: who outgrows one machine uses that. Thread-safe.
/// </summary>
public sealed partial class EmbeddedCluster : IAsyncDisposable
{
    // Incarnations are unique among all that share logs; logs in memory are shared within this process at most, durable ones
    // with earlier processes, whose numbers came from an earlier time.
    private static long s_lastShort;
    private static long s_lastLong = (DateTime.UtcNow.Ticks - new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks) / TimeSpan.TicksPerMillisecond;

    private readonly ILogger _logger;
    private readonly IServiceProvider? _ownServices;
    private readonly bool _isDurable;
    private readonly IAsyncDisposable? _ownStore;
    private readonly SemaphoreSlim _control = new(1, 1);
    private readonly List<Node> _past = [];
    private readonly ILogStore _logs;
    private bool _isStopped;

    private EmbeddedCluster(EmbeddedClusterOptions options, IServiceProvider? services, SegmentedLogStore? ownStore)
    {
        _ownStore = ownStore;
        var parts = ClusterParts.Make(options);
        var partitions = options.Partitions > 0 ? options.Partitions : options.LogStore?.PartitionCount ?? ownStore?.PartitionCount ?? options.Silos;
        var logs = options.LogStore ?? (ILogStore?)ownStore ?? new MemoryLogStore(partitions, takesCheckpoints: true);
        if (logs.PartitionCount != partitions)
            throw new Orleans.Runtime.OrleansConfigurationException($"EmbeddedClusterOptions.Partitions is {partitions}, and the log store was made with {logs.PartitionCount}.");
        _isDurable = logs is not MemoryLogStore;
        if (options.AppendLatency > TimeSpan.Zero) logs = new DelayedLogStore(logs, options.AppendLatency);
        Policies = parts.Policies;
        _ownServices = services is null ? ClusterParts.BuildServices(options) : null;
        var provider = services ?? _ownServices!;
        var loggers = options.LoggerFactory ?? provider.GetService<ILoggerFactory>() ?? NullLoggerFactory.Instance;
        _logger = loggers.CreateLogger("Polyjuice.Embedded");
        Directory = new(partitions);
        _logs = logs;
        Runtime = new CallRuntime(options, provider, parts.Types, partitions, Policies, loggers, options.Seed)
        {
            Platform = new RealTimePlatform(Directory, logs, Durations.Microseconds(options.NetworkLatency)),
        };
        Client = provider.GetRequiredService<EmbeddedClient>();
        var holder = provider.GetRequiredService<ClusterHolder>();
        holder.Runtime = Runtime;
        holder.Cluster = this;
        Silos = [.. Enumerable.Range(0, options.Silos).Select(index => new EmbeddedSilo(this, index))];
    }

    /// <summary>What <see cref="EmbeddedClusterOptions.Data"/> says for logs that end with the process.</summary>
    public const string MemoryData = "memory";

    /// <summary>The silos; those that were killed or stopped stay in the list and can be restarted.</summary>
    public IReadOnlyList<EmbeddedSilo> Silos { get; }

    /// <summary>Calls grains and runs transactions from outside of the silos.</summary>
    public EmbeddedClient Client { get; }

    /// <summary>The policy in force, to be swapped at any time.</summary>
    public PolicyStore Policies { get; }

    /// <summary>What all nodes have done since the cluster started, those that are gone included.</summary>
    public EmbeddedClusterStatistics Statistics
    {
        get
        {
            lock (_past) return EmbeddedClusterStatistics.Sum([.. _past, .. Directory.Nodes]);
        }
    }

    /// <summary>How long the loops of the silos that run did not look for new work, and why, since this was called the last time.</summary>
    public LoopPauses TakePauses()
    {
        var pauses = new LoopPauses();
        foreach (var node in Directory.Nodes)
        {
            if (node is Silo) pauses = pauses.With(((RealTimeLoop)node.Loop).TakePauses());
        }

        return pauses;
    }

    /// <summary>The number of log partitions.</summary>
    public int Partitions => Runtime.Partitions.Count;

    internal CallRuntime Runtime { get; }

    internal ClusterDirectory Directory { get; }

    /// <summary>Starts a cluster of its own; completes when it takes calls.</summary>
    /// <exception cref="Orleans.Runtime.OrleansConfigurationException">An option is out of range, or a grain class can't work.</exception>
    /// <exception cref="LogUnusableException">A log is damaged, of a newer version, or of another number of partitions.</exception>
    /// <exception cref="IOException">The logs' folder can't be used, or another process uses it (<see cref="LogDeviceLockedException"/>).</exception>
    public static async Task<EmbeddedCluster> StartAsync(EmbeddedClusterOptions? options = null)
    {
        options ??= new();
        return await StartAsync(options, null, options.Data ?? MemoryData).ConfigureAwait(false);
    }

    /// <summary>Stops all silos in good order.</summary>
    public async Task StopAsync()
    {
        await _control.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isStopped) return;
            _isStopped = true;
            foreach (var silo in Silos) await silo.StopNodeAsync().ConfigureAwait(false);
            if (Runtime.Client is { } client)
            {
                await client.AbandonAsync().ConfigureAwait(false);
                await Retire(client).ConfigureAwait(false);
            }

            (_logs as DelayedLogStore)?.Dispose();
            if (_ownStore is not null) await _ownStore.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            _control.Release();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        if (_ownServices is IAsyncDisposable services) await services.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Starts a cluster in virtual time instead: the same grains and options, on one seeded queue of events. When this returns, it
    /// takes calls. The options' seed and log store have no place there.
    /// </summary>
    /// <exception cref="Orleans.Runtime.OrleansConfigurationException">An option is out of range, or a grain class can't work.</exception>
    public static SimulatedEmbeddedCluster Simulate(EmbeddedClusterOptions options, SimulationOptions simulation)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(simulation);
        var cluster = new SimulatedEmbeddedCluster(options, simulation);
        cluster.Start();
        return cluster;
    }

    /// <inheritdoc cref="Simulate(EmbeddedClusterOptions, SimulationOptions)"/>
    public static SimulatedEmbeddedCluster Simulate(EmbeddedClusterOptions options, ulong seed) => Simulate(options, new SimulationOptions { Seed = seed });

    /// <summary>Starts a cluster on the logs in a folder, or in memory; completes when it takes calls.</summary>
    internal static async Task<EmbeddedCluster> StartAsync(EmbeddedClusterOptions options, IServiceProvider? services, string data)
    {
        OptionsCheck.Ranges(options);
        OptionsCheck.Ranges(options.Engine);
        OptionsCheck.Ranges(options.Trace);
        SegmentedLogStore? store = null;
        if (options.LogStore is null && data != MemoryData)
        {
            var loggers = options.LoggerFactory ?? services?.GetService<ILoggerFactory>() ?? NullLoggerFactory.Instance;
            var files = new FileLogOptions { Directory = data, Flush = options.FlushData, Partitions = options.Partitions, NewPartitions = options.Silos };
            store = await FileLogStore.OpenAsync(files, loggers.CreateLogger("Polyjuice.Storage"), CancellationToken.None).ConfigureAwait(false);
        }

        EmbeddedCluster cluster;
        try
        {
            cluster = new EmbeddedCluster(options, services, store);
        }
        catch
        {
            if (store is not null) await store.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        await cluster.StartNodesAsync().ConfigureAwait(false);
        return cluster;
    }

    internal NodeId NextNodeId()
    {
        // Within an opening of the logs by number, among openings by generation; a store without those is told apart by time.
        if (_logs.Generation > 0) return new((_logs.Generation << 24) | Interlocked.Increment(ref s_lastShort));
        return new(_isDurable ? Interlocked.Increment(ref s_lastLong) : Interlocked.Increment(ref s_lastShort));
    }

    private async Task StartNodesAsync()
    {
        var client = new ClientNode(NextNodeId(), Runtime);
        Runtime.Client = client;
        Directory.Add(client);
        client.Start();
        foreach (var silo in Silos) silo.StartNode();
        if (await RebalanceAsync().ConfigureAwait(false) is { } failure)
        {
            await StopAsync().ConfigureAwait(false);
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
        }

        HostLog.Started(_logger, Silos.Count, Partitions, Policies.Current.Name);
    }

    // Stops a node's thread for good, and keeps its counters.
    private async Task Retire(Node node)
    {
        node.Loop.Stop();
        await node.Loop.Ended.ConfigureAwait(false);
        lock (_past)
        {
            _past.Add(node);
            Directory.Remove(node);
        }
    }
}
