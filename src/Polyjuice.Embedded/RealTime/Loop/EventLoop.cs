using Microsoft.Extensions.Logging;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// One node's thread. Everything in a node runs here: turns of grains, calls of the engine, timers, arriving messages.
/// </summary>
/// <remarks>
/// Work is of two kinds. What was <em>begun</em> (answers, continuations, engine batches, calls made by grains, timers) goes
/// before what is <em>new</em> (calls from clients): a transaction that has accessed something is in others' way until it
/// ends, so finishing it first keeps that time short, and under overload the queue grows where nothing is held.
/// </remarks>
internal sealed class EventLoop
{
    /// <summary>Work items between two flushes at the most: bounds how long messages wait for company.</summary>
    private const int BatchMax = 64;

    /// <summary>New work items between two flushes at the most: what was begun on other nodes is not kept waiting for an answer meanwhile.</summary>
    private const int NewMax = 4;

    /// <summary>Rounds of looking for work before the thread parks.</summary>
    private const int SpinMax = 40;

    private const int ParkMillisecondsMax = 1_000;

    [ThreadStatic]
    private static EventLoop? t_current;

    private readonly Inbox _inbox = new();
    private readonly WorkQueue _begun = new();
    private readonly WorkQueue _new = new();
    private readonly TimerHeap _timers = new();
    private readonly LoopSynchronizationContext _context;
    private readonly Action _flush;
    private readonly ILogger _logger;
    private readonly Thread _thread;
    private bool _stop;

    /// <summary>Creates it; <see cref="Start"/> starts it.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="flush">Called after each batch of work and before idling.</param>
    /// <param name="logger">Where failures of work items go.</param>
    public EventLoop(string name, Action flush, ILogger logger)
    {
        _flush = flush;
        _logger = logger;
        _context = new(this);
        _thread = new Thread(Run) { Name = name, IsBackground = true };
    }

    /// <summary>The loop whose thread this is, or <see langword="null"/>.</summary>
    public static EventLoop? Current => t_current;

    /// <summary>Whether this is the loop's thread.</summary>
    public bool IsCurrent => ReferenceEquals(t_current, this);

    /// <summary>Whether the loop has been told to stop.</summary>
    public bool IsStopped => Volatile.Read(ref _stop);

    /// <summary>Completes when the thread has ended.</summary>
    public Task Ended => _ended.Task;

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The clock when the present batch of work began: for what needs no better, because a look at the clock has its price.</summary>
    public long Now { get; private set; } = Clock.UtcMicroseconds;

    /// <summary>
    /// The clock when this turn (a work item, or a flush) first asked for it. The loop's thread only. A turn takes microseconds and looks
    /// at the clock a dozen times; what caused the turn happened before, so no order between causes and effects is lost.
    /// </summary>
    public long TurnTime => _turnTime != 0 ? _turnTime : _turnTime = Clock.UtcMicroseconds;

    private long _turnTime;

    public void Start() => _thread.Start();

    /// <summary>Stops after the work item that runs now; the rest is dropped.</summary>
    public void Stop()
    {
        Volatile.Write(ref _stop, true);
        _inbox.Wake();
    }

    /// <summary>Runs something as work already begun. Any thread.</summary>
    /// <returns>False when the loop has ended, so that it never will run.</returns>
    public bool Post(SendOrPostCallback callback, object? state)
    {
        if (!IsCurrent) return _inbox.Post(new(callback, state));
        _begun.Enqueue(new(callback, state));
        return true;
    }

    /// <summary>Runs an asynchronous function here; its result comes back where the caller awaits it. Any thread.</summary>
    /// <exception cref="Orleans.Runtime.SiloUnavailableException">The loop has ended.</exception>
    public Task<T> RunAsync<T>(Func<Task<T>> function)
    {
        var item = new LoopCall<T>(function);
        if (!Post(s_runLoopCall, item)) item.Abandon();
        return item.Task;
    }

    /// <inheritdoc cref="RunAsync{T}(Func{Task{T}})"/>
    public Task RunAsync(Func<Task> function) => RunAsync(async () =>
    {
        await function();
        return true;
    });

    private static readonly SendOrPostCallback s_runLoopCall = static state => ((LoopCall)state!).Run();

    /// <summary>Runs something as new work. The loop's thread only.</summary>
    public void PostNew(SendOrPostCallback callback, object? state) => _new.Enqueue(new(callback, state));

    /// <summary>Runs something when the clock has passed <paramref name="due"/>. The loop's thread only.</summary>
    public void Schedule(long due, SendOrPostCallback callback, object? state) => _timers.Add(due, new(callback, state));

    private void Run()
    {
        t_current = this;
        SynchronizationContext.SetSynchronizationContext(_context);
        var sinceFlush = 0;
        var newSinceFlush = 0;
        while (!Volatile.Read(ref _stop))
        {
            if (sinceFlush == 0) Now = Clock.UtcMicroseconds;
            _inbox.DrainTo(_begun);
            if (_timers.NextDue != long.MaxValue) _timers.MoveDue(Clock.UtcMicroseconds, _begun);
            while (_begun.Count > 0 && sinceFlush < BatchMax && !Volatile.Read(ref _stop))
            {
                sinceFlush++;
                Execute(_begun.Dequeue());
            }

            if (_begun.Count == 0 && _new.Count > 0 && sinceFlush < BatchMax && newSinceFlush < NewMax && !Volatile.Read(ref _stop))
            {
                sinceFlush++;
                newSinceFlush++;
                Execute(_new.Dequeue());
                continue;
            }

            if (Volatile.Read(ref _stop)) break;
            if (sinceFlush > 0)
            {
                sinceFlush = 0;
                newSinceFlush = 0;
                ExecuteFlush();
                continue;
            }

            Idle();
        }

        t_current = null;
        SynchronizationContext.SetSynchronizationContext(null);
        _inbox.Close(_begun);
        Abandon(_begun);
        Abandon(_new);
        _ended.SetResult();
    }

    // What waits for the loop from outside must learn that it has ended; everything else of it is gone, as memory would be.
    private static void Abandon(WorkQueue queue)
    {
        while (queue.Count > 0) (queue.Dequeue().State as IAbandonable)?.Abandon();
    }

    private void Execute(Work work)
    {
        _turnTime = 0;
        try
        {
            work.Callback(work.State);
        }
        catch (Exception exception)
        {
            RealTimeLog.WorkFailed(_logger, exception);
        }
    }

    private void ExecuteFlush()
    {
        _turnTime = 0;
        try
        {
            _flush();
        }
        catch (Exception exception)
        {
            RealTimeLog.WorkFailed(_logger, exception);
        }
    }

    private void Idle()
    {
        for (var i = 0; i < SpinMax; i++)
        {
            if (_inbox.HasWork || Volatile.Read(ref _stop)) return;
            if (_timers.NextDue != long.MaxValue && _timers.NextDue <= Clock.UtcMicroseconds) return;
            if (i < 8) Thread.SpinWait(20);
            else Thread.Yield();
        }

        var wait = ParkMillisecondsMax;
        if (_timers.NextDue != long.MaxValue)
        {
            var microseconds = _timers.NextDue - Clock.UtcMicroseconds;
            // Parking is only as exact as the system's timer; what is due sooner than that is yielded for.
            if (microseconds < 1_000) return;
            wait = (int)Math.Min(ParkMillisecondsMax, microseconds / 1_000);
        }

        _inbox.Park(wait, in _stop);
    }
}
