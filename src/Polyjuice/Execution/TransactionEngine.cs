using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Polyjuice.Commit;
using Polyjuice.Diagnostics;
using Polyjuice.Diagnostics.Spans;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;
using Polyjuice.Storage;

namespace Polyjuice.Execution;

/// <summary>One silo's transaction engine: its agent, and the log partitions that it owns. All members on the engine's turn.</summary>
internal sealed partial class TransactionEngine
{
    private readonly ILogStore _logs;
    private readonly IAbortExceptionFactory _exceptions;
    private readonly PolicyStore _policies;
    private readonly PartitionOwner?[] _owners;
    private readonly List<PartitionOwner> _active = [];
    private readonly Dictionary<TransactionId, LocalTransaction> _transactions = [];
    private readonly Dictionary<NodeId, long> _oldestLive = [];
    private readonly Dictionary<NodeId, long> _lastNews = [];
    private readonly HashSet<NodeId> _dead = [];
    private readonly Queue<Message> _local = new();
    private readonly Outbox _outbox;
    private readonly Backoff _backoff;
    private readonly PathTree _paths;
    private long _batchSequence;
    private bool _isFlushRequested;
    private bool _isTicking;
    private readonly LinkedList<TaskCompletionSource> _delays = [];
    private bool _isStopped;

    /// <summary>Creates it. It owns no partition yet.</summary>
    /// <param name="node">This incarnation.</param>
    /// <param name="options">Validated here; must not change afterwards.</param>
    /// <param name="host">What drives it.</param>
    /// <param name="logs">The logs of all partitions.</param>
    /// <param name="policies">The policy table in force; may be shared by the engines of one process.</param>
    /// <param name="exceptions">Makes what callers catch.</param>
    /// <param name="logger">Where events of interest to an operator go.</param>
    /// <param name="meters">Whose meter <c>Polyjuice</c> it measures with; by default it makes one of its own.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">An option is out of its bounds.</exception>
    public TransactionEngine(
        NodeId node, EngineOptions options, IEngineHost host, ILogStore logs, PolicyStore policies,
        IAbortExceptionFactory exceptions, ILogger logger, IMeterFactory? meters = null)
    {
        options.Validate();
        Node = node;
        Options = options;
        Host = host;
        _logs = logs;
        _policies = policies;
        _exceptions = exceptions;
        Log = logger;
        Clock = new HybridClock(host, options.Breaks == ProtocolBreaks.ClockSkew ? long.MaxValue >> 20 : options.MaxClockSkewMicroseconds);
        Statistics = new EngineStatistics();
        Waits = new WaitGraph(this);
        Hot = new HotParticipants(this);
        _agreed = new AgreedAdmission(this);
        _owners = new PartitionOwner?[logs.PartitionCount];
        _order = new ReservationOrder(new NodeId[logs.PartitionCount]);
        _outbox = new Outbox(node, host, Statistics, Names);
        _scratch = new ByteWriter(Names);
        _backoff = new Backoff(options, host);
        _admission = new AdmissionQueue(options, Statistics, host);
        _agreedLimit = new AgreedLimit(this, _admission);
        _chooser = new TableChooser(this);
        _dueTransactions = new(options.TickMicroseconds, Look);
        _dueDecisions = new(options.TickMicroseconds, static (decision, now) => decision.Owner!.Look(decision, now));
        _paths = new PathTree(policies.Registry);
        policies.Add(Conflicts = new ConflictWatch(node));
        Spans = new AttemptSpans(this);

        Sites = new SiteCounts(policies.Registry);

        // Last: whoever listens may observe it from then on, on a thread of their own.
        Metrics = new EngineMetrics(this, policies, meters);
    }

    /// <summary>This incarnation.</summary>
    public NodeId Node { get; }

    /// <summary>Counters.</summary>
    public EngineStatistics Statistics { get; }

    /// <summary>Whether it has stopped by itself, because an invariant is broken; the log says which. Other threads may see it a moment later.</summary>
    public bool HasFailed { get; private set; }

    internal EngineOptions Options { get; }

    internal IEngineHost Host { get; }

    internal ILogger Log { get; }

    internal HybridClock Clock { get; }

    internal WaitGraph Waits { get; }

    internal EngineMetrics Metrics { get; }

    internal ConflictWatch Conflicts { get; }

    internal AttemptSpans Spans { get; }

    internal SiteCounts Sites { get; }

    /// <summary>Who hears of the protocol's steps, if anybody does.</summary>
    internal IProtocolEvents? Events { get; set; }

    internal TypeLearning Learning { get; } = new();

    internal HotParticipants Hot { get; }

    internal ProtocolBreaks Breaks => Options.Breaks;

    internal long Now => Host.UtcMicroseconds;

    internal int PolicyVersion => _policies.Current.Version;

    internal IEnumerable<PartitionOwner> Owners => _active.Concat(_rows.Values);

    /// <summary>
    /// Whether any transaction that this node is the agent of has not ended yet. Other threads may see it a moment
    /// later.
    /// </summary>
    public bool HasTransactions => _oldest is not null || _admission.Waiting > 0;

    /// <summary>What this node knows of; for diagnostics and tests.</summary>
    internal IEnumerable<LocalTransaction> Transactions => _transactions.Values;

    /// <summary>Fences a partition's log, recovers from it, and serves it from then on. Completes when it serves.</summary>
    /// <exception cref="CodingException">The log holds what this version does not understand.</exception>
    /// <exception cref="OperationCanceledException">Cancelled, stopped, or released meanwhile.</exception>
    public async Task AcquirePartitionAsync(int partition, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isStopped, this);
        if (_owners[partition] is not null) throw new InvalidOperationException($"Partition {partition} is already owned, or being acquired, by {Node}.");
        var owner = new PartitionOwner(this, partition, _logs.Open(partition));
        _owners[partition] = owner;
        _active.Add(owner);
        try
        {
            await owner.AcquireAsync(cancellationToken);
        }
        catch
        {
            if (_owners[partition] == owner) Depose(owner);
            throw;
        }

        Log.Acquired(Names.Describe(partition), owner.Epoch);
        EnsureTicking();
    }

    /// <summary>Stops serving a partition; what is undecided there is decided by the next owner.</summary>
    public void ReleasePartition(int partition)
    {
        if (_owners[partition] is { } owner) Depose(owner);
    }

    /// <summary>Whether this node serves the partition, as far as it knows.</summary>
    public bool Owns(int partition) => _owners[partition] is { IsActive: true };

    /// <summary>
    /// Which log it is and why, if a partition's log can't be written at present, or can't be taken over; <see langword="null"/> where
    /// nothing of the kind has lasted, or this node has nothing to do with it.
    /// </summary>
    /// <param name="partition">0 to the number of partitions − 1.</param>
    public string? OutageOf(int partition) => _owners[partition] is { IsLogOut: true } owner ? owner.LogFailure : null;

    /// <summary>A node was declared dead and will never act again: what depends on its agent alone is resolved without it.</summary>
    public void NodeDead(NodeId node)
    {
        if (!_dead.Add(node)) return;
        _oldestLive[node] = long.MaxValue;
        _outbox.Forget(node);
        foreach (var transaction in _transactions.Values.ToArray())
        {
            if (transaction.Id.Node == node)
            {
                Doom(transaction, AbortReason.ParticipantLost, null);
                AbandonHere(transaction.Id);
                End(transaction);
            }
            else if (transaction.RemoteCalls is { } calls)
            {
                foreach (var call in calls.ToArray())
                {
                    if (call.Destination == node) Doom(transaction, AbortReason.ParticipantLost, null);
                }
            }
        }

        foreach (var owner in Undecided()) owner.OnNodeDead(node);
        EnsureTicking();
        RequestFlush();
    }

    /// <summary>Aborts what runs and refuses what comes. Whoever waits here waits no longer: from now on no message comes, and no timer may. Idempotent.</summary>
    public void Stop()
    {
        if (_isStopped) return;
        _isStopped = true;
        for (var agent = _oldest; agent is not null;)
        {
            var next = agent.Younger;
            if (agent.State == AgentState.Running)
            {
                GiveUp(agent, AbortReason.Shutdown);
                AbortRunning(agent, new AbortInfo(AbortReason.Shutdown, agent.Transaction.Type));
            }
            else
            {
                Complete(agent, new AbortInfo(AbortReason.InDoubt, agent.Transaction.Type));
            }

            agent = next;
        }

        foreach (var transaction in _transactions.Values.ToArray())
        {
            if (transaction.Agent is null) Doom(transaction, AbortReason.OwnerChanged, null);
        }

        _admission.Stop();
        foreach (var delay in _delays) delay.TrySetResult();
        _delays.Clear();
        FlushOnce();
        foreach (var owner in Owners.ToArray()) Depose(owner);
        _policies.Remove(Conflicts);
        Metrics.Dispose();
    }

    /// <summary>The engine's side of one transactional state of a grain that has been activated on this silo.</summary>
    /// <param name="key">Which state of which grain.</param>
    /// <param name="codec">How its values are copied and written.</param>
    /// <param name="keepsTurn">Whether a call of the grain keeps others out while an access of it waits, because the grain's class is not reentrant.</param>
    public TransactionalStateCore<T> CreateState<T>(ParticipantKey key, IStateCodec<T> codec, bool keepsTurn = false) where T : class =>
        new(this, key, StableHash.Partition(key.Grain, _owners.Length), _paths.StateClass($"{key.GrainClass}.{key.State}"), new StateAdapter<T>(codec), keepsTurn);

    internal PartitionOwner? Owner(int partition) => FindOwner(partition) is { IsActive: true } owner ? owner : null;

    private PartitionOwner? FindOwner(int partition) => (uint)partition < (uint)_owners.Length ? _owners[partition] : FindRow(partition);

    /// <summary>
    /// A later epoch is proof that the owner here was deposed. It would learn that from its next append, but while it has nothing to
    /// append, this node's transactions would go to it and be refused, for ever (L1, I4).
    /// </summary>
    internal void NoteEpoch(int partition, long epoch)
    {
        if (FindOwner(partition) is not { IsActive: true } owner || owner.Epoch >= epoch) return;
        if (owner.IsRow) BeginRowAfter(partition, epoch);
        LoseToRival(owner);
    }

    /// <summary>Another node has taken its partition over.</summary>
    internal void LoseToRival(PartitionOwner owner)
    {
        Log.Deposed(Names.Describe(owner.Partition), owner.Epoch);
        Depose(owner);
    }

    /// <summary>What a log says of an agent's oldest live attempt, which never goes back.</summary>
    internal void NoteOldestLive(NodeId node, long oldest)
    {
        if (node != Node) _oldestLive[node] = Math.Max(_oldestLive.GetValueOrDefault(node), oldest);
    }

    /// <summary>Each agent's oldest live attempt, as far as it was heard of.</summary>
    internal IReadOnlyCollection<KeyValuePair<NodeId, long>> KnownOldestLive()
    {
        _oldestLive[Node] = OldestLive;
        return [.. _oldestLive.OrderBy(agent => agent.Key)];
    }

    internal void Depose(PartitionOwner owner)
    {
        owner.Stop();
        if (owner.IsRow)
        {
            DeposeRow(owner);
            return;
        }

        _active.Remove(owner);
        if (_owners[owner.Partition] == owner) _owners[owner.Partition] = null;
        RequestFlush();
    }

    /// <summary>An invariant is broken: better no service than a wrong one.</summary>
    internal void Fail(Exception exception)
    {
        Log.Failed(exception);
        HasFailed = true;
        Stop();
    }

    internal BatchId NextBatchId() => new(Node.Value, ++_batchSequence);

    /// <summary>Whether it was stopped, or is being.</summary>
    internal bool IsStopped => _isStopped;

    /// <summary>
    /// Completes after that time, or when the engine stops: whoever comes back from it asks for that
    /// (<see cref="IsStopped"/>), or would never wait again.
    /// </summary>
    internal Task Delay(long microseconds)
    {
        if (_isStopped) return Task.CompletedTask;
        var done = _delays.AddLast(new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        Host.Schedule(microseconds, () =>
        {
            if (done.List is not null) _delays.Remove(done);
            done.Value.TrySetResult();
        });
        return done.Value.Task;
    }

    internal string SiteName(int siteId)
    {
        var sites = _policies.Registry.Sites;
        return (uint)siteId < (uint)sites.Count ? sites[siteId].Key.Name : siteId switch
        {
            Wait.ReservationSite or Wait.UnorderedReservationSite => "(reservation)",
            Wait.TurnSite => "(turn)",
            _ => "(commit)",
        };
    }

    internal void EnsureTicking()
    {
        if (_isTicking || _isStopped) return;
        _isTicking = true;
        Host.ScheduleHousekeeping(Options.TickMicroseconds, Tick);
    }

    /// <summary>Cycles across nodes are looked for more often than the rest of the housekeeping is done.</summary>
    internal void EnsureProbing(long at)
    {
        if (at >= _probeAt || _isStopped) return;
        _probeAt = at;
        _probeTimers++;
        Host.ScheduleHousekeeping(Math.Max(0, at - Now), Probe);
    }

    private long _probeAt = long.MaxValue;
    private int _probeTimers;

    private void Probe()
    {
        var now = Now;
        _probeTimers--;

        // One that an earlier time has overtaken; the last one does the work even if the clock was set back meanwhile.
        if (_isStopped || (now < _probeAt && _probeTimers > 0)) return;
        _probeAt = long.MaxValue;
        Waits.Probes.Tick(now);
        EnsureProbing(Waits.Probes.NextAt);
        RequestFlush();
    }

    private void Tick()
    {
        _isTicking = false;
        if (_isStopped) return;
        try
        {
            var now = Now;
            CountOpenTime();
            _oldestLive[Node] = OldestLive;
            TickTransactions(now);
            _admission.Tick(now);
            Hot.Tick(now);
            _agreed.Tick();
            _chooser.Tick(now);
            _agreedLimit.Tick(now);
            Conflicts.Tick(now);
            Waits.Tick(now);
            RepeatParallel(now);
            foreach (var owner in _active.ToArray()) owner.Tick(now);
            TickRows(now);
            TickEnded(now);
        }
        catch (InvariantException exception)
        {
            Fail(exception);
            return;
        }

        RequestFlush();
        var goesOn = HasTransactions || _active.Exists(owner => owner.HasUnfinished) || _restlessRows.Count > 0 || _transactions.Count > 0;
        Trace?.Tick(isIdle: !goesOn);
        if (goesOn) EnsureTicking();
    }
}
