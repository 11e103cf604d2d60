using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Execution;
using Polyjuice.Orleans;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Benchmarking.Clusters;

/// <summary>Orleans silos in this process, which speak over loopback sockets, and a client of theirs.</summary>
public sealed class OrleansBenchmarkCluster : IBenchmarkCluster
{
    private static int s_clusters;
    private readonly List<IHost> _silos = [];
    private readonly ClientLoop _loop = new();
    private readonly string? _folder;
    private ILogStore? _logs;
    private IHost? _client;

    private OrleansBenchmarkCluster(string? folder) => _folder = folder;

    /// <inheritdoc/>
    public WorkloadCluster View { get; private set; } = null!;

    /// <summary>Starts one.</summary>
    /// <exception cref="NotSupportedException">The shape asks for delays, which only the embedded host's own network and logs can have.</exception>
    public static async Task<IBenchmarkCluster> StartAsync(ClusterShape shape)
    {
        if (shape.NetworkLatency > TimeSpan.Zero || shape.AppendLatency > TimeSpan.Zero)
            throw new NotSupportedException("Delays of the network and of appends are the embedded host's alone. Under Orleans, both are what they are.");
        var number = Interlocked.Increment(ref s_clusters);

        // Each cluster begins with nothing, whatever ran before.
        var cluster = new OrleansBenchmarkCluster(shape.DataFolder is null ? null : Path.Combine(shape.DataFolder, $"bench-{Environment.ProcessId}-{number}"));
        try
        {
            await cluster.StartAsync(shape, $"bench-{number}");
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public Task RunOnClientAsync(Func<Task> body) => _loop.RunAsync(body);

    /// <inheritdoc/>
    public void Swap(IPolicyCompiler policy)
    {
        foreach (var silo in _silos) silo.Services.GetRequiredService<PolicyStore>().Swap(policy);
    }

    /// <inheritdoc/>
    public IReadOnlyList<(PolicyStore Policies, Func<EngineStatistics?> Load)> Processes =>
        [.. _silos.Select(silo => (silo.Services.GetRequiredService<PolicyStore>(), (Func<EngineStatistics?>)(() => Silo(silo).Statistics)))];

    /// <inheritdoc/>
    public Embedded.LoopPauses TakePauses() => new();

    /// <inheritdoc/>
    public ClusterCounters Read()
    {
        var sum = new EngineStatistics();
        foreach (var silo in _silos)
        {
            if (Silo(silo).Statistics is { } engine) sum.Add(engine);
        }

        // The engines' batches alone: calls and answers are Orleans' own business.
        return ClusterCounters.Of(sum, sum.MessageBatchesSent, sum.MessageBytesSent);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_client is not null) await StopAsync(_client);
        foreach (var silo in Enumerable.Reverse(_silos)) await StopAsync(silo);
        _loop.Dispose();
        if (_logs is IAsyncDisposable files) await files.DisposeAsync();
        if (_folder is not null && Directory.Exists(_folder)) Directory.Delete(_folder, recursive: true);
    }

    private async Task StartAsync(ClusterShape shape, string name)
    {
        var partitions = shape.Partitions ?? shape.Silos;
        _logs = _folder is null
            ? new MemoryLogStore(partitions, takesCheckpoints: true)
            : await FileLogStore.OpenAsync(new FileLogOptions { Directory = _folder, NewPartitions = partitions }, NullLogger.Instance, CancellationToken.None);
        var ports = LoopbackPorts.Free(2 * shape.Silos);
        var primary = new IPEndPoint(IPAddress.Loopback, ports[0]);
        for (var i = 0; i < shape.Silos; i++)
        {
            var (siloPort, gatewayPort) = (ports[2 * i], ports[(2 * i) + 1]);
            var builder = QuietBuilder();
            if (shape.PolicyStore is { } policies) builder.Services.AddSingleton(policies);
            builder.UseOrleans(silo =>
            {
                silo.UseLocalhostClustering(siloPort, gatewayPort, primary, name, name).UsePolyjuice(options =>
                {
                    if (shape.CheckpointBytes is { } bytes) options.Engine.CheckpointBytes = bytes;
                });
                silo.Services.AddKeyedSingleton<ILogStoreProvider>(PolyjuiceOptions.DefaultLogProvider, new SharedLogs(_logs));
            });
            _silos.Add(builder.Build());
            await _silos[^1].StartAsync();
        }

        var clientBuilder = QuietBuilder();
        clientBuilder.UseOrleansClient(client => client.UseLocalhostClustering([.. Enumerable.Range(0, shape.Silos).Select(i => ports[(2 * i) + 1])], name, name));
        _client = clientBuilder.Build();
        await _client.StartAsync();
        View = new WorkloadCluster(_client.Services.GetRequiredService<IGrainFactory>(), SiloOf, shape.Silos);
    }

    // Grains without transactional states, such as plain twins, live where Orleans puts them; this is where they would live if they had one.
    private int SiloOf(IAddressable grain)
    {
        var owner = Silo(_silos[0]).OwnerOf(grain.GetGrainId());
        return _silos.FindIndex(silo => silo.Services.GetRequiredService<ILocalSiloDetails>().SiloAddress.Equals(owner));
    }

    private static IPolyjuiceSilo Silo(IHost host) => host.Services.GetRequiredService<IPolyjuiceSilo>();

    private static HostApplicationBuilder QuietBuilder()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        return builder;
    }

    private static async Task StopAsync(IHost host)
    {
        // What has not started, because its port was taken for example, has nothing to stop, and would say so instead of why.
        if (host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStarted.IsCancellationRequested) await host.StopAsync();
        if (host is IAsyncDisposable disposable) await disposable.DisposeAsync();
        else host.Dispose();
    }
}
