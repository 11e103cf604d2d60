using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Runtime;
using Polyjuice.Embedded.Core;
using Polyjuice.Embedded.Simulated;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded;

/// <summary>
/// Silos and a client in virtual time, on one seeded queue of events: grain code as it is, on a network, logs, clocks and silos
/// that fail as told. The same seed, options and code give the same run, event for event. Not thread-safe: it is used on the
/// thread that started it.
/// </summary>
public sealed partial class SimulatedEmbeddedCluster : IDisposable
{
    private readonly SimulatedWorld _world;
    private readonly SimulatedMembership _membership;
    private readonly SimulatedFaultInjector _injector;
    private readonly CallRuntime _runtime;
    private readonly ServiceProvider _services;
    private bool _isDisposed;

    internal SimulatedEmbeddedCluster(EmbeddedClusterOptions options, SimulationOptions simulation)
    {
        OptionsCheck.Ranges(simulation);
        OptionsCheck.Ranges(options.Trace);
        if (options.LogStore is not null) throw new OrleansConfigurationException("EmbeddedClusterOptions.LogStore can't be given: a simulated cluster's logs are simulated too.");
        var parts = ClusterParts.Make(options);
        var partitions = options.Partitions > 0 ? options.Partitions : options.Silos;
        _world = new SimulatedWorld(WithLatencies(simulation, options), partitions)
        {
            Kill = node => _injector!.KillForAWhile(Silos!.First(place => place.Node == node)),
        };
        Policies = parts.Policies;
        Random = _world.Random.Fork(6);
        TimeProvider = new VirtualTimeProvider(_world);
        _services = ClusterParts.BuildServices(options, services => services.AddSingleton(TimeProvider));
        var loggers = new FailureWatch(_world, options.LoggerFactory ?? _services.GetService<ILoggerFactory>() ?? NullLoggerFactory.Instance);
        _runtime = new CallRuntime(options, _services, parts.Types, partitions, Policies, loggers, _world.Random.Next())
        {
            Platform = new SimulatedPlatform(_world, partitions),
        };
        _services.GetRequiredService<ClusterHolder>().Runtime = _runtime;
        Client = _services.GetRequiredService<EmbeddedClient>();
        Silos = [.. Enumerable.Range(0, options.Silos).Select(index => new SimulatedSilo(this, index))];
        _membership = new SimulatedMembership(_world, Silos, partitions);
        _injector = new SimulatedFaultInjector(this, _world, _membership);
    }

    /// <summary>The world that the cluster runs in, its seed above all.</summary>
    public SimulationOptions Options => _world.Options;

    /// <summary>The silos; those that died stay in the list and can be restarted.</summary>
    public IReadOnlyList<SimulatedSilo> Silos { get; }

    /// <summary>Calls grains and runs transactions, from code that <see cref="Run(Func{Task})"/> runs.</summary>
    public EmbeddedClient Client { get; }

    /// <summary>The number of log partitions.</summary>
    public int Partitions => _runtime.Partitions.Count;

    /// <summary>The policy in force, to be swapped at any time.</summary>
    public PolicyStore Policies { get; }

    /// <summary>Virtual time, for clients; grains get the same by injection.</summary>
    public TimeProvider TimeProvider { get; }

    /// <summary>Random numbers of the run, for clients: the same in every run of the seed.</summary>
    public SimulationRandom Random { get; }

    /// <summary>Virtual time since the start.</summary>
    public TimeSpan Elapsed => TimeSpan.FromMicroseconds(_world.Events.Now);

    /// <summary>How many events have happened.</summary>
    public long Events => _world.Events.EventsRun;

    /// <summary>A hash of all that has happened so far: events, messages, appends. Equal runs have equal ones.</summary>
    public ulong Digest => _world.Events.Digest;

    /// <summary>What went wrong so far.</summary>
    public FaultLedger Faults => _world.Faults;

    /// <summary>Messages that a later one of the same sender and receiver overtook.</summary>
    public long Reordered => _world.Network.Reordered;

    /// <summary>What happened, if <see cref="SimulationOptions.Trace"/> is on.</summary>
    public IReadOnlyList<string> Trace => _world.Trace;

    /// <summary>What all nodes have done since the cluster started, the dead included.</summary>
    public EmbeddedClusterStatistics Statistics => EmbeddedClusterStatistics.Sum(_world.Nodes);

    /// <summary>Ends the recording that <see cref="EmbeddedClusterOptions.TraceSink"/> has begun; nodes that start later record nothing.</summary>
    /// <returns>What the nodes that run now have recorded in all.</returns>
    public TraceCounts StopTrace() => Run(async () =>
    {
        _runtime.Traces = null;
        var counts = default(TraceCounts);
        foreach (var node in _world.Nodes)
        {
            if (!node.Loop.IsStopped) counts = counts.With(await node.Loop.RunAsync(() => node.Engine.StopTraceAsync()));
        }

        return counts;
    });

    /// <summary>Ends it. Nothing of it runs any more.</summary>
    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        _world.Events.BeforeEvent = null;
        foreach (var node in _world.Nodes)
        {
            node.Loop.Stop();
            // Nobody runs what this wakes up; it gives back what the engine holds in the process.
            node.Engine.Stop();
        }

        _services.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    internal void Start() => _world.Guard.Run(() =>
    {
        var client = new ClientNode(_world.NextNodeId(), _runtime);
        _runtime.Client = client;
        _world.ClientLoop = client.Loop;
        _membership.Join(client);
        foreach (var silo in Silos) StartNode(silo);
        _membership.Rebalance();
        _membership.Start();
        Await(() => _membership.IsBalanced, _world.Options.RunMax, "the partitions are not served after the start");
    });

    internal void Kill(SimulatedSilo silo)
    {
        if (silo.Node is not { } node) return;
        silo.Node = null;
        node.Loop.Stop();
        _world.Logs.Crashed((SimulatedLoop)node.Loop);
        _world.Events.Note(0xDEAD);
        _membership.Died(node);
    }

    internal void Restart(SimulatedSilo silo)
    {
        if (silo.Node is not null || _isDisposed) return;
        StartNode(silo);
        _membership.Rebalance();
    }

    private void StartNode(SimulatedSilo place)
    {
        var node = new Silo(_world.NextNodeId(), place.Name, _runtime);
        place.Node = node;
        _membership.Join(node);
        node.Start();
        node.StartCollection();
    }

    private static SimulationOptions WithLatencies(SimulationOptions simulation, EmbeddedClusterOptions options)
    {
        var network = Durations.Microseconds(options.NetworkLatency);
        var append = Durations.Microseconds(options.AppendLatency);
        return simulation with
        {
            Network = simulation.Network with { DelayMin = simulation.Network.DelayMin + network, DelayMax = simulation.Network.DelayMax + network },
            Storage = simulation.Storage with { DelayMin = simulation.Storage.DelayMin + append, DelayMax = simulation.Storage.DelayMax + append },
        };
    }
}
