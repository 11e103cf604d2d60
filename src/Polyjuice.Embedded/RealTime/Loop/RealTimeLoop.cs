using Microsoft.Extensions.Logging;
using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// A node's loop in real time. It has no thread: whoever gives it work makes it <em>ready</em>, and one of the process's <see cref="LoopWorkers"/> runs a batch of what it has to do.
/// </summary>
/// <remarks>
/// With a thread for each loop, more threads than processors would want to run, and which of them waits would be the system's choice, in slices of milliseconds, while a message between two silos takes microseconds.
/// </remarks>
internal sealed class RealTimeLoop : NodeLoop
{
    /// <summary>
    /// Work items between two flushes at the most, when another silo waits for mail. A flush takes a few microseconds, as does an item; and where transactions wait for each other's messages, most of a message's way is the rest of two batches, the
    /// sender's and the receiver's.
    /// </summary>
    private const int UrgentBatchMax = 4;

    /// <summary>The same when only clients wait.</summary>
    private const int BatchMax = 16;

    /// <summary>New work items among them at the most: each wake-up and each append serves several, but what was begun is in others' way.</summary>
    private const int NewMax = 16;

    private readonly Inbox _inbox = new();
    private readonly TimerHeap _timers = new();
    private readonly Func<bool> _hasUrgentMail;
    private readonly LoopWorkers _workers;
    private readonly TurnWatch? _watch;
    private volatile LoopState _state = LoopState.NotStarted;
    private long _readySince;
    private long _nextDue = long.MaxValue;

    /// <summary>Creates it.</summary>
    /// <param name="workers">Who runs it.</param>
    /// <param name="flush">Called after each batch of work and before idling.</param>
    /// <param name="hasUrgentMail">Whether another silo waits for what the next flush sends.</param>
    /// <param name="logger">Where failures of work items go.</param>
    /// <param name="watch">Watches how long turns take, if anybody wants to know.</param>
    public RealTimeLoop(LoopWorkers workers, Action flush, Func<bool> hasUrgentMail, ILogger logger, TurnWatch? watch = null) : base(flush, logger)
    {
        _workers = workers;
        _watch = watch;
        _hasUrgentMail = hasUrgentMail;
        Now = Clock.UtcMicroseconds;
    }

    /// <summary>Whether it is a client's: those of silos go before it, because what was begun there is in others' way, and clients begin more.</summary>
    public bool IsClient { get; init; }

    /// <summary>Where it ran last, of the <see cref="ReadyLoops"/>. Set by the worker that runs it.</summary>
    public int Place { get; set; }

    /// <inheritdoc/>
    public override long UtcMicroseconds => Clock.UtcMicroseconds;

    /// <summary>When it became ready, on the clock. Any thread; exact while it is.</summary>
    public long ReadySince => Volatile.Read(ref _readySince);

    /// <summary>When its earliest timer is due, as of its last turn. Any thread.</summary>
    public long NextDue => Volatile.Read(ref _nextDue);

    /// <summary>How long turns took since this was called the last time. Any thread.</summary>
    public LoopPauses TakePauses() => _watch?.Take() ?? new LoopPauses();

    /// <inheritdoc/>
    public override void NoteCheckpoint(bool begins) => _watch?.Checkpoint(Clock.UtcMicroseconds, begins);

    /// <inheritdoc/>
    public override void Start()
    {
        _workers.Add(this);
        _state = LoopState.Idle;
        MakeReady();
    }

    /// <inheritdoc/>
    public override void Stop()
    {
        base.Stop();
        MakeReady();
    }

    /// <inheritdoc/>
    public override void Schedule(long due, SendOrPostCallback callback, object? state) => _timers.Add(due, new(callback, state));

    /// <summary>Sees to it that a worker looks at it, unless that is so already, or there is nothing that is new. Any thread.</summary>
    /// <remarks>
    /// No work is forgotten: who brings some adds it first and looks then whether the loop is idle; a worker says first that it is idle and looks then whether there is work. Both with a full fence between, so one of the two sees the other.
    /// </remarks>
    public void MakeReady()
    {
        Interlocked.MemoryBarrier();
        if (_state != LoopState.Idle || Interlocked.CompareExchange(ref _state, LoopState.Ready, LoopState.Idle) != LoopState.Idle) return;
        Volatile.Write(ref _readySince, Clock.UtcMicroseconds);
        _workers.Enqueue(this);
    }

    /// <summary>Makes it ready if it is idle and a timer is due. Any thread.</summary>
    /// <returns>When its earliest timer is due; <see cref="long.MaxValue"/> if it has none, or sees to them itself because it is ready or runs.</returns>
    public long MakeReadyIfDue(long now)
    {
        if (_state != LoopState.Idle) return long.MaxValue;
        var due = NextDue;
        if (due > now) return due;
        MakeReady();
        return long.MaxValue;
    }

    /// <summary>Runs a batch of work and the flush behind it. For the worker that has taken it from those that are ready.</summary>
    /// <param name="isReady">Whether there is more to do; the worker runs it again, or lets another.</param>
    /// <returns>The clock after it.</returns>
    public long RunBatch(out bool isReady)
    {
        isReady = false;
        _state = LoopState.Running;
        Enter();
        var ended = Now = Clock.UtcMicroseconds;
        if (!IsStopped)
        {
            _watch?.Begin(Now, _readySince);
            if (_timers.NextDue <= Now) _timers.MoveDue(Now, Begun);
            if (ExecuteBatch() > 0 && !IsStopped)
            {
                ExecuteFlush();
                ended = Clock.UtcMicroseconds;
                BusyTime += ended - Now;
                _watch?.End(ended);
            }
        }

        Exit();
        if (IsStopped) Finish();
        else isReady = Rest(ended);
        return ended;
    }

    /// <inheritdoc/>
    protected override bool PostFromElsewhere(Work work)
    {
        if (!_inbox.Post(work)) return false;
        MakeReady();
        return true;
    }

    private int ExecuteBatch()
    {
        var done = 0;
        var begunOfNew = 0;
        while (done < BatchMax && !IsStopped && (done < UrgentBatchMax || !_hasUrgentMail()))
        {
            if (Begun.Count == 0) _inbox.DrainTo(Begun);
            if (Begun.Count > 0)
            {
                Execute(Begun.Dequeue());
            }
            else
            {
                if (New.Count == 0 || begunOfNew == NewMax) break;
                begunOfNew++;
                Execute(New.Dequeue());
            }

            done++;
        }

        return done;
    }

    // Whether there is more to do. Otherwise it is idle from here on, and others may have made it ready again.
    private bool Rest(long now)
    {
        Volatile.Write(ref _nextDue, _timers.NextDue);
        if (Begun.Count > 0 || New.Count > 0 || _inbox.HasWork || _timers.NextDue <= now)
        {
            Volatile.Write(ref _readySince, now);
            _state = LoopState.Ready;
            return true;
        }

        var due = _timers.NextDue;
        _state = LoopState.Idle;
        _workers.NoteDue(due);
        Interlocked.MemoryBarrier();
        if (_inbox.HasWork || IsStopped) MakeReady();
        return false;
    }

    private void Finish()
    {
        _state = LoopState.Ended;
        _workers.Remove(this);
        _inbox.Close(Begun);
        End();
    }
}
