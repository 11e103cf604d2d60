using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Replay;

/// <summary>
/// One silo of a replay, with an engine and <see cref="ReplaySettings.CoresPerSilo"/> processors that take its work in order. A piece of work happens when a processor begins it, and keeps the processor for what it
/// costs. As in a real silo, what was begun goes before what is new, and what is to be sent and appended goes out together after a batch of work.
/// </summary>
internal sealed partial class ReplayNode : IEngineHost
{
    /// <summary>Virtual time 0 as a wall clock shows it.</summary>
    private const long Epoch = 1_750_000_000_000_000;

    /// <summary>Pieces of work between two flushes at the most, and new ones among them.</summary>
    private const int BatchMax = 64;
    private const int NewMax = 4;

    /// <summary>Flushes that follow each other because one has caused another.</summary>
    private const int FlushRoundsMax = 4;

    private static readonly SendOrPostCallback s_runAction = static state => ((Action)state!)();

    private readonly ReplayCluster _cluster;
    private readonly SimulationRandom _random;
    private readonly TurnContext _context;
    private readonly ReplayCosts _costs;
    private readonly Action _start;
    private readonly Action _release;
    private readonly Queue<(SendOrPostCallback Run, object? State)> _begun = new();
    private readonly Queue<(SendOrPostCallback Run, object? State)> _new = new();
    private readonly TransactionalStateCore<ReplayState>?[] _states;
    private int _freeCores;
    private bool _isStartQueued;
    private bool _isFlushRequested;
    private int _sinceFlush;
    private int _newSinceFlush;
    private double _charged;
    private double _owed;

    public ReplayNode(ReplayCluster cluster, int index, PolicyStore policies, SimulationRandom random)
    {
        _cluster = cluster;
        _random = random;
        Index = index;
        Id = new NodeId(index + 1);
        _context = new TurnContext(this);
        _costs = cluster.Settings.Costs;
        _freeCores = cluster.Settings.CoresPerSilo;
        _open = new Parcel?[cluster.Settings.Silos];
        _states = new TransactionalStateCore<ReplayState>?[cluster.Workload.Keys.Length];
        _start = Start;
        _release = Release;
        var logs = new ReplayLogs(this, cluster.Settings.Silos, cluster.Settings.AppendMicroseconds);
        OnTurn(() => Engine = new TransactionEngine(Id, cluster.Settings.Engine, this, logs, policies, ReplayAbortFactory.Shared, NullLogger.Instance));
    }

    public int Index { get; }

    /// <summary>Whether it serves its partition, which has its own number.</summary>
    public bool IsServing => Engine.Owns(Index);

    public NodeId Id { get; }

    public TransactionEngine Engine { get; private set; } = null!;

    public long UtcMicroseconds => Epoch + _cluster.Loop.Now;

    public ulong NextRandom() => _random.Next();

    public NodeId OwnerOf(int partition) => new(partition + 1);

    public void Schedule(long delayMicroseconds, Action callback) => Later(delayMicroseconds, s_runAction, callback);

    public void RequestFlush() => _isFlushRequested = true;

    public void ChargeAppend() => _charged += _costs.Append;

    /// <summary>Does something here after a while, as work that was begun.</summary>
    public void Later(long delayMicroseconds, SendOrPostCallback run, object? state) =>
        _cluster.Loop.Queue(delayMicroseconds, EventKind.Timer, Index, () => Post(run, state));

    /// <summary>Does something here as soon as a processor has time, before anything new.</summary>
    public void Post(SendOrPostCallback run, object? state)
    {
        _begun.Enqueue((run, state));
        Wake();
    }

    /// <summary>The same for what a client wants.</summary>
    public void PostNew(SendOrPostCallback run, object? state)
    {
        _new.Enqueue((run, state));
        Wake();
    }

    /// <summary>Runs something with this silo's turn in place.</summary>
    public void OnTurn(Action run)
    {
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(_context);
        try
        {
            run();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(outer);
        }
    }

    /// <summary>Begins to serve its partition.</summary>
    public async void Acquire() => await Engine.AcquirePartitionAsync(Index, CancellationToken.None);

    private void Wake()
    {
        if (_freeCores == 0 || _isStartQueued) return;
        _isStartQueued = true;
        _cluster.Loop.Queue(0, EventKind.Turn, Index, _start);
    }

    private void Start()
    {
        _isStartQueued = false;
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(_context);
        try
        {
            while (_freeCores > 0 && RunNext())
            {
                _freeCores--;
                _owed += _charged;
                _charged = 0;
                var microseconds = (long)_owed;
                _owed -= microseconds;
                _cluster.Loop.Queue(microseconds, EventKind.Turn, Index, _release);
            }
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(outer);
        }
    }

    private void Release()
    {
        _freeCores++;
        Start();
    }

    /// <summary>The next piece of work, or the flush that ends a batch; false when there is nothing to do.</summary>
    private bool RunNext()
    {
        if (_sinceFlush < BatchMax && TryTake(out var work))
        {
            _sinceFlush++;
            _charged += _costs.Turn;
            work.Run(work.State);
            return true;
        }

        if (_sinceFlush == 0) return false;
        _sinceFlush = 0;
        _newSinceFlush = 0;
        Flush();
        return true;
    }

    private bool TryTake(out (SendOrPostCallback Run, object? State) work)
    {
        if (_begun.TryDequeue(out work)) return true;
        if (_newSinceFlush >= NewMax || !_new.TryDequeue(out work)) return false;
        _newSinceFlush++;
        return true;
    }

    private void Flush()
    {
        for (var round = 0; _isFlushRequested && round < FlushRoundsMax; round++)
        {
            _isFlushRequested = false;
            Engine.Flush();
        }

        if (_isFlushRequested) Post(static _ => { }, null);
        SendOpen();
    }

    private sealed class TurnContext(ReplayNode node) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => node.Post(d, state);

        public override void Send(SendOrPostCallback d, object? state) => throw new NotSupportedException("A turn never blocks on another.");

        public override SynchronizationContext CreateCopy() => this;
    }
}
