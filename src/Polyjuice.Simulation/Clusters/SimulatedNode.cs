using System.Runtime.CompilerServices;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Specification.Tracing;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// One incarnation of one silo: the host of one engine. All that it does is an event of the loop; when it crashes,
/// nothing that was queued for it runs any more, continuations included.
/// </summary>
internal sealed class SimulatedNode : IEngineHost, ISimulatedProcess, INetworkEndpoint
{
    /// <summary>How long the activation of a grain takes at the most, in microseconds.</summary>
    private const int LoadMax = 3_000;

    private readonly SimulationRandom _random;
    private readonly TurnContext _context;
    private readonly NodeId[] _ownersView;
    private readonly Dictionary<int, Activation> _activations = [];
    private readonly ReadTimestampMonitor _readTimestamps = new();
    private readonly Queue<(EventKind Kind, Action Run)> _backlog = [];
    private bool _flushRequested;
    private ulong _received;
    private long _slowUntil;
    private long _busyUntil;
    private long _perEvent;
    private bool _isServingBacklog;
    private bool _isFlushing;
    private int _outputsLeft = -1;
    private Action? _crashed;

    public SimulatedNode(
        SimulatedCluster cluster, NodeId id, long clockOffset, SimulationRandom random, NodeId[] ownersView)
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
            id, cluster.Shape.Options, this, new NodeLogStore(this, cluster.Storage.For(this)), Policies,
            new EngineExceptionFactory(), new FailureLog(cluster, id)));
        if (cluster.Protocol is { } trace) Engine.Events = new NodeTrace(trace, this);
    }

    public SimulatedCluster Cluster { get; }

    public NodeId Id { get; }

    public bool IsAlive { get; private set; } = true;

    /// <summary>How far its clock is off, in microseconds. Tests may make it jump.</summary>
    public long ClockOffset { get; set; }

    /// <summary>Its clock has been beyond all bounds: it gets no partition any more.</summary>
    public bool IsWild { get; set; }

    /// <summary>Others believe that it is dead, or will soon; it does not know.</summary>
    public bool IsTakenForDead { get; set; }

    /// <inheritdoc/>
    public bool HearsStorage { get; set; } = true;

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

    public NodeId OwnerOfRow(string grain, string state) =>
        Cluster.Accounts.RowOf(grain, state) is >= 0 and var row ? _ownersView[row] : NodeId.None;

    public void WakeRow(string grain, string state)
    {
        if (Cluster.Accounts.RowOf(grain, state) is >= 0 and var row)
            Queue(0, EventKind.Directory, () => Cluster.Wake(row, this));
    }

    /// <summary>What activates grains, for tests that decide when that is done.</summary>
    public Func<string, Task<bool>>? Loads { get; set; }

    /// <summary>Takes its time, and can't always.</summary>
    public ValueTask<bool> LoadGrainAsync(string grain)
    {
        if (Loads is { } loads) return new(loads(grain));
        var loaded = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var random = _random.Fork((ulong)Cluster.Loop.EventsRun);
        Queue(
            random.Next(LoadMax),
            EventKind.Directory,
            () => loaded.SetResult(Cluster.Shape.KeepsToSets || !random.Chance(0.05)));
        return new(loaded.Task);
    }

    /// <summary>It is told that another node is dead.</summary>
    public void HearOfDeath(NodeId dead)
    {
        Cluster.Protocol?.DeathHeard(Id, dead);
        Engine.NodeDead(dead);
    }

    /// <summary>A host that knows of a silo's death knows that what was there is nowhere.</summary>
    public void ForgetRowsOf(NodeId dead)
    {
        for (var unit = Cluster.Shape.Partitions; unit < _ownersView.Length; unit++)
        {
            if (_ownersView[unit] == dead) _ownersView[unit] = NodeId.None;
        }
    }

    /// <summary>Whether it serves a partition, or a row, as far as it knows.</summary>
    public bool Owns(int unit) =>
        Cluster.Accounts.IsRow(unit)
            ? Engine.OwnsRow(Cluster.Accounts.KeyOf(Cluster.Accounts.AccountOf(unit)))
            : Engine.Owns(unit);

    public void Release(int unit)
    {
        if (Cluster.Accounts.IsRow(unit)) Engine.ReleaseRow(Cluster.Accounts.KeyOf(Cluster.Accounts.AccountOf(unit)));
        else Engine.ReleasePartition(unit);
    }

    public Task AcquireAsync(int unit)
    {
        if (!Cluster.Accounts.IsRow(unit)) return Engine.AcquirePartitionAsync(unit, CancellationToken.None);
        var store = new NodeRow(this, Cluster.Rows!.For(this, unit));
        return Engine.AcquireRowAsync(
            Cluster.Accounts.KeyOf(Cluster.Accounts.AccountOf(unit)), Cluster.Codec, store, CancellationToken.None);
    }

    public void Believe(int partition, NodeId owner) => _ownersView[partition] = owner;

    public void Send(NodeId destination, ReadOnlySpan<byte> batch)
    {
        CountOutput();
        if (!IsAlive)
        {
            // The flush goes on, and nothing comes of it.
            if (_isFlushing) Cluster.Coverage.SendInterrupted(Cluster.Agreement.KindsOf(batch));
            return;
        }

        var bytes = batch.ToArray();
        Cluster.TraceLine(() => $"{Id} → {destination}: {WireTap.Describe(bytes)}");
        var kinds = Cluster.Agreement.Hear(bytes);
        Cluster.Coverage.Sent(kinds);
        Cluster.Network.Send(new NetworkMessage(Id, destination, TrafficKind.Engine, bytes, null) { Kinds = kinds });
    }

    public void Schedule(long delayMicroseconds, Action callback) =>
        Queue(delayMicroseconds, EventKind.Timer, callback);

    public void RequestFlush()
    {
        if (_flushRequested) return;
        _flushRequested = true;
        Queue(0, EventKind.Flush, () =>
        {
            _flushRequested = false;
            Flush();
        });
    }

    /// <summary>Queues something that happens here, if the node lives to see it.</summary>
    public void Queue(long delay, EventKind kind, Action run)
    {
        if (!IsAlive) return;
        Cluster.Loop.Queue(delay, kind, Id.Value, () => Serve(kind, run));
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

    public void Deliver(NetworkMessage message) => Serve(EventKind.Message, () =>
    {
        _received |= message.Kinds;
        Cluster.Probe?.Arriving(this, message);
        if (message.Kind == TrafficKind.Engine) Receive(message);
        else Calls.Receive(message);
        Cluster.Received?.Invoke(this, message.Kinds);
    });

    /// <summary>For a while it serves one event per so many microseconds; or none at all, when that is 0.</summary>
    public void BeSlow(long microseconds, long perEvent)
    {
        _slowUntil = Cluster.Loop.Now + microseconds;
        _perEvent = perEvent;
        if (perEvent == 0) _busyUntil = Math.Max(_busyUntil, _slowUntil);
    }

    /// <summary>From now on it serves events when they come.</summary>
    public void BeQuick() => _slowUntil = _busyUntil = Cluster.Loop.Now;

    /// <summary>
    /// It dies in its next flush, after so many messages and appends; at the end of it, if there are not as many.
    /// </summary>
    public void CrashAfterOutputs(int outputs, Action crashed)
    {
        _outputsLeft = outputs;
        _crashed = crashed;
    }

    public void Crash()
    {
        if (!IsAlive) return;
        Cluster.TraceLine(() => $"{Id} CRASHES");
        Cluster.Probe?.Crashing(this);
        IsAlive = false;
        Cluster.Protocol?.Crashed(Id);
        Cluster.Loop.Note(0xDEAD);
        Cluster.Coverage.ReceiptInterrupted(_received);
        if (_readsOfLogs > 0) Cluster.Coverage.LogReadInterrupted();
    }

    /// <summary>
    /// The silo ends in good order: its engine is stopped, and as on a real host no timer of it fires any more.
    /// </summary>
    public void Stop()
    {
        Turn(Engine.Stop);
        _hasStopped = true;
    }

    private bool _hasStopped;
    private int _readsOfLogs;

    private void Receive(NetworkMessage message)
    {
        var tellsOutcomes = (message.Kinds & (1UL << (int)MessageKind.Outcome)) != 0;
        var inferred = tellsOutcomes && Cluster.Proofs is not null ? ProofMonitor.Inferred(this, message.Bytes) : null;
        Engine.Receive(message.From, message.Bytes);
        if (inferred is not null) Cluster.Proofs!.Received(this, inferred);
    }

    private void Flush()
    {
        Cluster.BeforeFlush?.Invoke(this);
        if (!IsAlive) return;
        _isFlushing = true;
        Engine.Flush();
        _isFlushing = false;
        _received = 0;
        Cluster.Protocol?.Flushed(this);
        if (Cluster.Shape.Monitors && IsAlive)
        {
            ProtocolMonitor.Flushed(this);
            _readTimestamps.Flushed(this);
        }

        if (_outputsLeft >= 0 && IsAlive) CrashNow();
    }

    private void CountOutput()
    {
        if (_outputsLeft >= 0 && IsAlive && _outputsLeft-- == 0) CrashNow();
    }

    private void CrashNow()
    {
        _outputsLeft = -1;
        Cluster.Crash(this);
        _crashed?.Invoke();
    }

    /// <summary>What happens here happens in order, and when the node has time.</summary>
    private void Serve(EventKind kind, Action run)
    {
        if (!IsAlive || (_hasStopped && kind == EventKind.Timer)) return;
        if (_backlog.Count > 0 || Cluster.Loop.Now < _busyUntil)
        {
            _backlog.Enqueue((kind, run));
            if (_isServingBacklog) return;
            _isServingBacklog = true;
            Cluster.Loop.Queue(Math.Max(0, _busyUntil - Cluster.Loop.Now), kind, Id.Value, ServeBacklog);
            return;
        }

        ServeNow(run);
    }

    private void ServeBacklog()
    {
        _isServingBacklog = false;
        if (!IsAlive) return;
        if (Cluster.Loop.Now >= _busyUntil && _backlog.TryDequeue(out var next)) ServeNow(next.Run);
        if (_backlog.Count == 0) return;
        _isServingBacklog = true;
        Cluster.Loop.Queue(Math.Max(0, _busyUntil - Cluster.Loop.Now), _backlog.Peek().Kind, Id.Value, ServeBacklog);
    }

    private void ServeNow(Action run)
    {
        Turn(run);
        if (_perEvent > 0 && Cluster.Loop.Now < _slowUntil) _busyUntil = Cluster.Loop.Now + _perEvent;
    }

    /// <summary>
    /// The engine's side of an account's state; counted, so that only an idle activation is ever replaced.
    /// </summary>
    public Activation Activate(int account)
    {
        if (_activations.TryGetValue(account, out var known)
            && (known.Users > 0 || !_random.Fork((ulong)Cluster.Loop.EventsRun).Chance(0.02)))
            return known;
        var isRow = Cluster.Accounts.IsRow(Cluster.Accounts.UnitOf(account));
        var activation = new Activation(isRow
            ? Engine.CreateRowState(Cluster.Accounts.KeyOf(account), Cluster.Codec)
            : Engine.CreateState(Cluster.Accounts.KeyOf(account), Cluster.Codec));
        _activations[account] = activation;
        return activation;
    }

    internal sealed class Activation(TransactionalStateCore<Account> state)
    {
        public TransactionalStateCore<Account> State { get; } = state;

        public int Users { get; set; }
    }

    /// <summary>
    /// Counts what the engine asks of its logs, because a crash may come between any two of its outputs.
    /// </summary>
    private sealed class NodeLogStore(SimulatedNode node, ILogStore store) : ILogStore
    {
        public int PartitionCount => store.PartitionCount;

        public IPartitionLog Open(int partition) => new NodeLog(node, partition, store.Open(partition));
    }

    private sealed class NodeLog(SimulatedNode node, int partition, IPartitionLog log) : IPartitionLog
    {
        public ValueTask<AppendResult> AppendAsync(
            long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            node.CountOutput();
            if (!node.IsAlive) return new(new TaskCompletionSource<AppendResult>().Task);
            node.Cluster.Coverage.Appended(LogTap.KindsOf(batch.Span));
            node.Cluster.Protocol?.Asked(node, partition, position, batchId, null, batch.Span);
            return log.AppendAsync(position, batchId, batch, cancellationToken);
        }

        public int AppendsUnderWayMax => log.AppendsUnderWayMax;

        public ValueTask<AppendResult> AppendBehindAsync(
            BatchId behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
            CancellationToken cancellationToken)
        {
            node.CountOutput();
            if (!node.IsAlive) return new(new TaskCompletionSource<AppendResult>().Task);
            node.Cluster.Coverage.Appended(LogTap.KindsOf(batch.Span));
            node.Cluster.Protocol?.Asked(node, partition, position, batchId, behind, batch.Span);
            return log.AppendBehindAsync(behind, position, batchId, batch, cancellationToken);
        }

        public bool TakesCheckpoints => log.TakesCheckpoints;

        public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) =>
            log.GetCheckpointAsync(cancellationToken);

        public ValueTask WriteCheckpointAsync(
            long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken) =>
            log.WriteCheckpointAsync(position, content, cancellationToken);

        public ValueTask<long> TrimAsync(CancellationToken cancellationToken) => log.TrimAsync(cancellationToken);

        public async ValueTask<long> GetEndAsync(CancellationToken cancellationToken)
        {
            node._readsOfLogs++;
            try
            {
                return await log.GetEndAsync(cancellationToken);
            }
            finally
            {
                node._readsOfLogs--;
            }
        }

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            node._readsOfLogs++;
            try
            {
                await foreach (var batch in log.ReadAsync(from, to, cancellationToken)) yield return batch;
            }
            finally
            {
                node._readsOfLogs--;
            }
        }
    }

    private sealed class NodeRow(SimulatedNode node, IRowStore<Account> row) : IRowStore<Account>
    {
        public ValueTask<RowContent<Account>> LoadAsync(CancellationToken cancellationToken) =>
            row.LoadAsync(cancellationToken);

        public ValueTask<string> StoreAsync(
            string? expectedETag, RowMetadata metadata, IReadOnlyList<RowPendingState<Account>> statesToPrepare,
            long? commitUpTo, long? abortAfter, CancellationToken cancellationToken)
        {
            node.CountOutput();
            if (!node.IsAlive) return new(new TaskCompletionSource<string>().Task);
            return row.StoreAsync(expectedETag, metadata, statesToPrepare, commitUpTo, abortAfter, cancellationToken);
        }
    }

    private sealed class TurnContext(SimulatedNode node) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => node.Queue(0, EventKind.Turn, () => d(state));

        public override void Send(SendOrPostCallback d, object? state) =>
            throw new NotSupportedException("A turn never blocks on another.");

        public override SynchronizationContext CreateCopy() => this;
    }
}
