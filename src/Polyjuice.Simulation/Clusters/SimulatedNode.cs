using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// One incarnation of one silo: the host of one engine. All that it does is an event of the loop; when it crashes, nothing
/// that was queued for it runs any more, continuations included.
/// </summary>
internal sealed class SimulatedNode : IEngineHost, ISimulatedProcess, INetworkEndpoint
{
    private readonly SimulationRandom _random;
    private readonly TurnContext _context;
    private readonly NodeId[] _ownersView;
    private readonly Dictionary<int, Activation> _activations = [];
    private bool _flushRequested;

    public SimulatedNode(SimulatedCluster cluster, NodeId id, long clockOffset, SimulationRandom random, NodeId[] ownersView)
    {
        Cluster = cluster;
        Id = id;
        ClockOffset = clockOffset;
        _random = random;
        _ownersView = ownersView;
        _context = new TurnContext(this);
        Registry = new SiteRegistry();
        Policies = new PolicyStore(Registry, cluster.Shape.Policy(id));
        Calls = new GrainCalls(this);
        Turn(() => Engine = new TransactionEngine(
            id, cluster.Shape.Options, this, cluster.Storage.For(this), Policies, new EngineExceptionFactory(), new FailureLog(cluster, id)));
    }

    public SimulatedCluster Cluster { get; }

    public NodeId Id { get; }

    public bool IsAlive { get; private set; } = true;

    /// <summary>How far its clock is off, in microseconds. Tests may make it jump.</summary>
    public long ClockOffset { get; set; }

    /// <summary>Each process numbers types and sites for itself.</summary>
    public SiteRegistry Registry { get; }

    public PolicyStore Policies { get; }

    public GrainCalls Calls { get; }

    public TransactionEngine Engine { get; private set; } = null!;

    /// <summary>Partitions that it is about to acquire.</summary>
    public HashSet<int> Acquiring { get; } = [];

    public long UtcMicroseconds => SimulatedCluster.Epoch + Cluster.Loop.Now + ClockOffset;

    public ulong NextRandom() => _random.Next();

    public NodeId OwnerOf(int partition) => _ownersView[partition];

    public void Believe(int partition, NodeId owner) => _ownersView[partition] = owner;

    public void Send(NodeId destination, ReadOnlySpan<byte> batch)
    {
        if (!IsAlive) return;
        var bytes = batch.ToArray();
        Cluster.TraceLine(() => $"{Id} → {destination}: {WireTap.Describe(bytes)}");
        Cluster.Agreement.Hear(bytes);
        Cluster.Network.Send(new NetworkMessage(Id, destination, TrafficKind.Engine, bytes, null));
    }

    public void Schedule(long delayMicroseconds, Action callback) => Queue(delayMicroseconds, EventKind.Timer, callback);

    public void RequestFlush()
    {
        if (_flushRequested) return;
        _flushRequested = true;
        Queue(0, EventKind.Flush, () =>
        {
            _flushRequested = false;
            Engine.Flush();
        });
    }

    /// <summary>Queues something that happens here, if the node lives to see it.</summary>
    public void Queue(long delay, EventKind kind, Action run)
    {
        if (!IsAlive) return;
        Cluster.Loop.Queue(delay, kind, Id.Value, () => Turn(run));
    }

    /// <summary>Runs on this node's turn.</summary>
    public void Turn(Action run)
    {
        if (!IsAlive) return;
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(_context);
        try
        {
            run();
        }
        catch (Exception e) when (e is not SimulationFailedException)
        {
            throw new SimulationFailedException("exception", $"{Id} at {Cluster.Loop.Now} µs: {e}", e);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(outer);
        }
    }

    public void Deliver(NetworkMessage message)
    {
        Turn(() =>
        {
            if (message.Kind == TrafficKind.Engine) Engine.Receive(message.From, message.Bytes);
            else Calls.Receive(message);
        });
    }

    public void Crash()
    {
        if (!IsAlive) return;
        Cluster.TraceLine(() => $"{Id} CRASHES");
        IsAlive = false;
        Cluster.Loop.Note(0xDEAD);
    }

    /// <summary>The engine's side of an account's state; counted, so that only an idle activation is ever replaced.</summary>
    public Activation Activate(int account)
    {
        if (_activations.TryGetValue(account, out var known) && (known.Users > 0 || !_random.Fork((ulong)Cluster.Loop.EventsRun).Chance(0.02))) return known;
        var activation = new Activation(Engine.CreateState(Cluster.KeyOf(account), Cluster.Codec));
        _activations[account] = activation;
        return activation;
    }

    internal sealed class Activation(TransactionalStateCore<Account> state)
    {
        public TransactionalStateCore<Account> State { get; } = state;

        public int Users { get; set; }
    }

    private sealed class TurnContext(SimulatedNode node) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => node.Queue(0, EventKind.Turn, () => d(state));

        public override void Send(SendOrPostCallback d, object? state) => throw new NotSupportedException("A turn never blocks on another.");

        public override SynchronizationContext CreateCopy() => this;
    }
}
