using Microsoft.Extensions.Logging;

namespace Polyjuice.Embedded.Core;

/// <summary>
/// A node's turn: everything in a node runs here, one thing after the other: turns of grains, calls of the engine, timers,
/// arriving messages. Worker threads drive it in real time, one at a time, and one event queue drives all nodes' loops in simulated time.
/// </summary>
/// <remarks>
/// Work is of two kinds. What was <em>begun</em> (answers, continuations, engine batches, calls made by grains, timers) goes
/// before what is <em>new</em> (calls from clients): a transaction that has accessed something is in others' way until it
/// ends, so finishing it first keeps that time short, and under overload the queue grows where nothing is held.
/// </remarks>
internal abstract class NodeLoop
{
    [ThreadStatic]
    private static NodeLoop? t_current;

    private static readonly SendOrPostCallback s_runLoopCall = static state => ((LoopCall)state!).Run();

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action _flush;
    private readonly ILogger _logger;
    private long _turnTime;
    private bool _stop;

    /// <summary>Creates it; <see cref="Start"/> starts it.</summary>
    /// <param name="flush">Called after each batch of work and before idling.</param>
    /// <param name="logger">Where failures of work items go.</param>
    protected NodeLoop(Action flush, ILogger logger)
    {
        _flush = flush;
        _logger = logger;
        Context = new(this);
    }

    /// <summary>The loop whose turn it is on this thread, or <see langword="null"/>.</summary>
    public static NodeLoop? Current => t_current;

    /// <summary>Whether it is this loop's turn on this thread.</summary>
    public bool IsCurrent => ReferenceEquals(t_current, this);

    /// <summary>Whether the loop has been told to stop.</summary>
    public bool IsStopped => Volatile.Read(ref _stop);

    /// <summary>Completes when nothing of it will run any more.</summary>
    public Task Ended => _ended.Task;

    /// <summary>The clock when the present batch of work began: for what needs no better, because a look at the clock has its price.</summary>
    public long Now { get; protected set; }

    /// <summary>Whether to count who waits for accesses, for <see cref="Activation.AccessesWaiting"/>.</summary>
    public virtual bool CountsWaits => false;

    /// <summary>The node's clock in microseconds since the Unix epoch.</summary>
    public abstract long UtcMicroseconds { get; }

    /// <summary>
    /// The clock when this turn (a work item, or a flush) first asked for it. On the loop only. A turn takes microseconds and looks
    /// at the clock a dozen times; what caused the turn happened before, so no order between causes and effects is lost.
    /// </summary>
    public long TurnTime => _turnTime != 0 ? _turnTime : _turnTime = UtcMicroseconds;

    /// <summary>The clock as this turn has asked for it, or else as it was when the batch began. On the loop only.</summary>
    public long RecentTime => Math.Max(_turnTime, Now);

    /// <summary>How long batches of work have taken in all; 0 where that is not measured. On the loop only.</summary>
    public long BusyTime { get; protected set; }

    /// <summary>Brings awaits back here.</summary>
    protected LoopSynchronizationContext Context { get; }

    /// <summary>Work that was begun.</summary>
    protected WorkQueue Begun { get; } = new();

    /// <summary>New work.</summary>
    protected WorkQueue New { get; } = new();

    /// <summary>Lets it run. Any thread, once.</summary>
    public abstract void Start();

    /// <summary>Stops after the work item that runs now; the rest is dropped. Any thread.</summary>
    public virtual void Stop() => Volatile.Write(ref _stop, true);

    /// <summary>Runs something as work already begun. Any thread.</summary>
    /// <returns>False when the loop has ended, so that it never will run.</returns>
    public bool Post(SendOrPostCallback callback, object? state)
    {
        if (!IsCurrent) return PostFromElsewhere(new(callback, state));
        Begun.Enqueue(new(callback, state));
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

    /// <summary>Runs something as new work. On the loop only.</summary>
    public void PostNew(SendOrPostCallback callback, object? state) => New.Enqueue(new(callback, state));

    /// <summary>Runs something when the clock has passed <paramref name="due"/>. On the loop only.</summary>
    public abstract void Schedule(long due, SendOrPostCallback callback, object? state);

    /// <summary>The same for what repeats itself as long as the node lives, and is no sign of anything going on.</summary>
    public virtual void ScheduleBackground(long due, SendOrPostCallback callback, object? state) => Schedule(due, callback, state);

    /// <summary>The same for what the engine repeats while anything of it is unfinished: alone, it moves nothing on that waits for something else.</summary>
    public virtual void ScheduleHousekeeping(long due, SendOrPostCallback callback, object? state) => Schedule(due, callback, state);

    /// <summary>The making of a checkpoint begins, or ends, to run in this turn. On the loop only.</summary>
    public virtual void NoteCheckpoint(bool begins)
    {
    }

    /// <summary>Takes work that was posted by others than the loop itself.</summary>
    protected abstract bool PostFromElsewhere(Work work);

    /// <summary>It is the loop's turn on this thread from here on.</summary>
    protected void Enter()
    {
        t_current = this;
        SynchronizationContext.SetSynchronizationContext(Context);
    }

    /// <summary>It is nobody's turn on this thread from here on.</summary>
    protected static void Exit()
    {
        t_current = null;
        SynchronizationContext.SetSynchronizationContext(null);
    }

    /// <summary>Nothing runs any more: what waits for the loop from outside must learn that; everything else is gone, as memory would be.</summary>
    protected void End()
    {
        Abandon(Begun);
        Abandon(New);
        _ended.TrySetResult();
    }

    protected void Execute(Work work)
    {
        _turnTime = 0;
        try
        {
            work.Callback(work.State);
        }
        catch (Exception exception)
        {
            HostLog.WorkFailed(_logger, exception);
        }
    }

    protected void ExecuteFlush()
    {
        _turnTime = 0;
        try
        {
            _flush();
        }
        catch (Exception exception)
        {
            HostLog.WorkFailed(_logger, exception);
        }
    }

    private static void Abandon(WorkQueue queue)
    {
        while (queue.Count > 0) (queue.Dequeue().State as IAbandonable)?.Abandon();
    }
}
