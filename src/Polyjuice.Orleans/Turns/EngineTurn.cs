using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Orleans.Turns;

/// <summary>
/// The one logical thread on which an engine of a silo runs: a lock that grain turns enter for the moment of an
/// access or a call, and a queue of what the engine itself is to continue with. Whoever leaves runs what has been
/// queued meanwhile, so that an access that waits for nobody costs no change of threads.
/// </summary>
/// <remarks>
/// As a <see cref="SynchronizationContext"/> it brings the engine's own awaits back to the turn. Nothing of the
/// application runs in what is posted here; see <see cref="GrainTurn"/> for that. Thread-safe.
/// </remarks>
internal sealed class EngineTurn : SynchronizationContext, IThreadPoolWorkItem, IDisposable
{
    /// <summary>
    /// What one leaving thread runs of others' work at the most; the rest
    /// goes to the thread pool, because a grain's turn should be short.
    /// </summary>
    private const int DrainMax = 128;

    private readonly Lock _gate = new();
    private readonly Queue<Work> _begun = new();
    private readonly ConcurrentQueue<Work> _posted = new();
    private readonly TurnTimers _timers;
    private readonly ILogger _logger;
    private readonly TimeProvider? _clock;
    private int _isDrainScheduled;
    private long _time;

    /// <summary>Creates it.</summary>
    /// <param name="logger">Where failures of posted work go.</param>
    /// <param name="clock">The clock that transactions go by; the system's by default.</param>
    public EngineTurn(ILogger logger, TimeProvider? clock = null)
    {
        _logger = logger;
        _clock = clock is null || ReferenceEquals(clock, TimeProvider.System) ? null : clock;
        _timers = new TurnTimers(ScheduleDrain);
    }

    /// <summary>Called on the turn, from the thread pool, when <see cref="RequestFlush"/> asked for it.</summary>
    public Action Flush { private get; set; } = static () => { };

    /// <summary>Called after the turn, from the thread pool: what must not be done while others wait.</summary>
    public Action AfterFlush { private get; set; } = static () => { };

    /// <summary>Whether this thread is on the turn.</summary>
    public bool IsCurrent => _gate.IsHeldByCurrentThread;

    /// <summary>The clock when this turn first asked for it, in microseconds since the Unix epoch.</summary>
    public long TurnTime => _time != 0 ? _time : _time = UtcMicroseconds;

    /// <summary>The clock, in microseconds since the Unix epoch. Any thread.</summary>
    public long UtcMicroseconds =>
        ((_clock is null
            ? DateTime.UtcNow
            : _clock.GetUtcNow().UtcDateTime) - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    private bool IsFlushRequested { get; set; }

    /// <summary>Enters the turn; leave by disposing of what this returns, on the same thread.</summary>
    /// <param name="context">Where awaits that begin now come back to; the turn itself by default.</param>
    /// <exception cref="LockRecursionException">
    /// This thread is on the turn already, or on another engine's: user code, called by an access, accesses a state or
    /// calls a grain.
    /// </exception>
    public Stay Enter(SynchronizationContext? context = null)
    {
        var previous = Current;

        // Who has a turn has its context. Two threads, each on a turn and waiting for the other's, would wait for ever.
        if (previous is EngineTurn or GrainTurn || _gate.IsHeldByCurrentThread)
            throw new LockRecursionException(
                "A function given to PerformRead or PerformUpdate can't access a transactional state or call a "
                + "grain itself.");
        _gate.Enter();
        _time = 0;
        SetSynchronizationContext(context ?? this);
        return new Stay(this, previous);
    }

    /// <summary>Runs an asynchronous function on the turn; who awaits it continues off the turn.</summary>
    public Task RunAsync(Func<Task> function)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using (Enter()) _ = CompleteAsync(function, done);
        return done.Task;
    }

    /// <summary>Asks for <see cref="Flush"/> after the work that is ready to run now. On the turn.</summary>
    public void RequestFlush()
    {
        if (IsFlushRequested) return;
        IsFlushRequested = true;
        ScheduleDrain();
    }

    /// <summary>Runs something later. On the turn.</summary>
    public void Schedule(long delayMicroseconds, SendOrPostCallback callback, object? state)
    {
        if (delayMicroseconds <= 0) _begun.Enqueue(new(callback, state));
        else _timers.Add(TurnTime, delayMicroseconds, new(callback, state));
    }

    /// <inheritdoc/>
    public override void Post(SendOrPostCallback d, object? state)
    {
        if (IsCurrent)
        {
            _begun.Enqueue(new(d, state));
            return;
        }

        _posted.Enqueue(new(d, state));
        ScheduleDrain();
    }

    /// <inheritdoc/>
    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException("Nothing waits for an engine's turn: use Post.");

    /// <inheritdoc/>
    public override SynchronizationContext CreateCopy() => this;

    /// <summary>Nothing is done later any more. What comes late still finds the turn.</summary>
    public void Dispose()
    {
        using (Enter()) _timers.Dispose();
    }

    void IThreadPoolWorkItem.Execute()
    {
        Volatile.Write(ref _isDrainScheduled, 0);
        using (Enter())
        {
            Drain();
            if (IsFlushRequested)
            {
                IsFlushRequested = false;
                Execute(new(static state => ((EngineTurn)state!).Flush(), this));
            }
        }

        AfterFlush();
    }

    private void ScheduleDrain()
    {
        if (Interlocked.Exchange(ref _isDrainScheduled, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void Leave(SynchronizationContext? previous)
    {
        // Whatever happens, the turn is left: who waits for it waits without a bound.
        try
        {
            SetSynchronizationContext(this);
            Drain();
        }
        finally
        {
            SetSynchronizationContext(previous);
            _gate.Exit();
        }
    }

    private void Drain()
    {
        if (_timers.NextDue != long.MaxValue) _timers.MoveDue(UtcMicroseconds, _begun);
        for (var i = 0; i < DrainMax; i++)
        {
            if (!_begun.TryDequeue(out var work) && !_posted.TryDequeue(out work)) return;
            Execute(work);
        }

        ScheduleDrain();
    }

    private void Execute(Work work)
    {
        _time = 0;
        try
        {
            work.Callback(work.State);
        }
        catch (Exception exception)
        {
            HostLog.WorkFailed(_logger, exception);
        }
    }

    private static async Task CompleteAsync(Func<Task> function, TaskCompletionSource done)
    {
        try
        {
            await function();
            done.TrySetResult();
        }
        catch (OperationCanceledException exception)
        {
            done.TrySetCanceled(exception.CancellationToken);
        }
        catch (Exception exception)
        {
            done.TrySetException(exception);
        }
    }

    /// <summary>A thread's time on the turn.</summary>
    internal readonly ref struct Stay(EngineTurn turn, SynchronizationContext? previous)
    {
        public void Dispose() => turn.Leave(previous);
    }
}
