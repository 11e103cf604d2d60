using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Replay;

/// <summary>
/// One silo of a replay, with an engine and <see cref="ReplaySettings.CoresPerSilo"/> processors that take its work in
/// the order in which it came, as a silo's thread pool does. A piece of work happens when a processor begins it, and
/// keeps the processor for what it costs. What engines have to send and to append goes out in a piece of work of its
/// own, behind what is ready by then.
/// </summary>
internal sealed partial class ReplayNode : IEngineHost
{
    /// <summary>Virtual time 0 as a wall clock shows it.</summary>
    private const long Epoch = 1_750_000_000_000_000;

    private static readonly SendOrPostCallback s_flush = static state => ((ReplayNode)state!).Flush();
    private static readonly SendOrPostCallback s_runAction = static state => ((Action)state!)();

    private readonly ReplayCluster _cluster;
    private readonly SimulationRandom _random;
    private readonly TurnContext _context;
    private readonly ReplayCosts _costs;
    private readonly Action _start;
    private readonly Action _release;
    private readonly Queue<(SendOrPostCallback Run, object? State)> _work = new();
    private readonly TransactionalStateCore<ReplayState>?[] _states;
    private int _freeCores;
    private bool _isStartQueued;
    private bool _isFlushRequested;

    // Work since the processor was last told what it takes.
    private int _turns;
    private int _attempts;
    private int _accesses;
    private int _calls;
    private int _failures;
    private int _messages;
    private int _batches;
    private int _appends;
    private double _compute;
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
        _states = new TransactionalStateCore<ReplayState>?[cluster.Workload.Keys.Length];
        _start = Start;
        _release = Release;
        var logs = new ReplayLogs(this, cluster.Settings.Silos, cluster.Settings.AppendMicroseconds);
        OnTurn(
            () => Engine = new TransactionEngine(
                Id, cluster.Settings.Engine, this, logs, policies, ReplayAbortFactory.Shared, NullLogger.Instance));
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

    public void RequestFlush()
    {
        if (_isFlushRequested) return;
        _isFlushRequested = true;
        Post(s_flush, this);
    }

    /// <summary>All that was done so far.</summary>
    public ReplayWork Work { get; private set; }

    public void ChargeAppend() => _appends++;

    /// <summary>Does something here after a while.</summary>
    public void Later(long delayMicroseconds, SendOrPostCallback run, object? state) =>
        _cluster.Loop.Queue(delayMicroseconds, EventKind.Timer, Index, () => Post(run, state));

    /// <summary>Does something here as soon as a processor has time.</summary>
    public void Post(SendOrPostCallback run, object? state)
    {
        _work.Enqueue((run, state));
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
                _owed += TakeCharged();
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

    private ReplayWork Undone => new()
    {
        Turns = _turns, Attempts = _attempts, Accesses = _accesses, Calls = _calls, Failures = _failures,
        Messages = _messages, Batches = _batches, Appends = _appends, ComputeMicroseconds = _compute,
    };

    // What the present piece of work takes until now.
    private double Charged => Undone.MicrosecondsAt(_costs);

    private double TakeCharged()
    {
        var work = Undone;
        Work += work;
        (_turns, _attempts, _accesses, _calls, _failures) = (0, 0, 0, 0, 0);
        (_messages, _batches, _appends, _compute) = (0, 0, 0, 0);
        return work.MicrosecondsAt(_costs);
    }

    private void Release()
    {
        _freeCores++;
        Start();
    }

    /// <summary>The next piece of work; false when there is none.</summary>
    private bool RunNext()
    {
        if (!_work.TryDequeue(out var work)) return false;
        _turns++;
        work.Run(work.State);
        return true;
    }

    private void Flush()
    {
        _isFlushRequested = false;
        Engine.Flush();
    }

    private sealed class TurnContext(ReplayNode node) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => node.Post(d, state);

        public override void Send(SendOrPostCallback d, object? state) =>
            throw new NotSupportedException("A turn never blocks on another.");

        public override SynchronizationContext CreateCopy() => this;
    }
}
