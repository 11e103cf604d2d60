using Microsoft.Extensions.Logging;
using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.RealTime;

/// <summary>A node's loop on a thread of its own, in real time.</summary>
internal sealed class ThreadLoop : NodeLoop
{
    /// <summary>
    /// Work items between two flushes at the most: bounds how long messages wait for company. A flush takes a few microseconds, as does an item; and where transactions wait for each other's messages, most of a message's way is the rest of two batches,
    /// the sender's and the receiver's.
    /// </summary>
    private const int BatchMax = 16;

    /// <summary>New work items between two flushes at the most, when another silo waits for mail: what was begun there is in others' way.</summary>
    private const int NewMax = 4;

    /// <summary>New work items between two flushes at the most, when only clients do: each wake-up and each append then serves more of them.</summary>
    private const int NewForClientsMax = 16;

    /// <summary>Rounds of looking for work before the thread parks.</summary>
    private const int SpinMax = 40;

    /// <summary>The same while every loop of the process may have a processor of its own: waking a thread costs its waker as much as a few grain calls.</summary>
    private const int SpinAloneMax = 200;

    private const int ParkMillisecondsMax = 1_000;

    private static readonly int s_processors = Environment.ProcessorCount;
    private static int s_running;

    private readonly Inbox _inbox = new();
    private readonly TimerHeap _timers = new();
    private readonly Thread _thread;
    private readonly Func<bool> _hasUrgentMail;
    private readonly TurnWatch? _watch;

    /// <summary>Creates it.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="flush">Called after each batch of work and before idling.</param>
    /// <param name="hasUrgentMail">Whether another silo waits for what the next flush sends.</param>
    /// <param name="logger">Where failures of work items go.</param>
    /// <param name="watch">Watches how long turns take, if anybody wants to know.</param>
    public ThreadLoop(string name, Action flush, Func<bool> hasUrgentMail, ILogger logger, TurnWatch? watch = null) : base(flush, logger)
    {
        _watch = watch;
        _hasUrgentMail = hasUrgentMail;
        Now = Clock.UtcMicroseconds;
        _thread = new Thread(Run) { Name = name, IsBackground = true };
    }

    /// <inheritdoc/>
    public override long UtcMicroseconds => Clock.UtcMicroseconds;

    /// <summary>How long turns took since this was called the last time. Any thread.</summary>
    public LoopPauses TakePauses() => _watch?.Take() ?? new LoopPauses();

    /// <inheritdoc/>
    public override void NoteCheckpoint(bool begins) => _watch?.Checkpoint(Clock.UtcMicroseconds, begins);

    /// <inheritdoc/>
    public override void Start() => _thread.Start();

    /// <inheritdoc/>
    public override void Stop()
    {
        base.Stop();
        _inbox.Wake();
    }

    /// <inheritdoc/>
    public override void Schedule(long due, SendOrPostCallback callback, object? state) => _timers.Add(due, new(callback, state));

    /// <inheritdoc/>
    protected override bool PostFromElsewhere(Work work) => _inbox.Post(work);

    private void Run()
    {
        Interlocked.Increment(ref s_running);
        Enter();
        var sinceFlush = 0;
        var newSinceFlush = 0;
        while (!IsStopped)
        {
            if (sinceFlush == 0)
            {
                // Timers are looked at as often as the clock is, once for each batch: that takes less than they are exact to.
                Now = Clock.UtcMicroseconds;
                _watch?.Begin(Now, _inbox.TakeWoken());
                if (_timers.NextDue <= Now) _timers.MoveDue(Now, Begun);
            }

            _inbox.DrainTo(Begun);
            while (Begun.Count > 0 && sinceFlush < BatchMax && !IsStopped)
            {
                sinceFlush++;
                Execute(Begun.Dequeue());
            }

            if (Begun.Count == 0 && New.Count > 0 && sinceFlush < BatchMax && !IsStopped && (newSinceFlush < NewMax || (newSinceFlush < NewForClientsMax && !_hasUrgentMail())))
            {
                sinceFlush++;
                newSinceFlush++;
                Execute(New.Dequeue());
                continue;
            }

            if (IsStopped) break;
            if (sinceFlush > 0)
            {
                sinceFlush = 0;
                newSinceFlush = 0;
                ExecuteFlush();
                var ended = Clock.UtcMicroseconds;
                BusyTime += ended - Now;
                _watch?.End(ended);
                continue;
            }

            Idle();
        }

        Exit();
        Interlocked.Decrement(ref s_running);
        _inbox.Close(Begun);
        End();
    }

    private void Idle()
    {
        var rounds = Volatile.Read(ref s_running) <= s_processors ? SpinAloneMax : SpinMax;
        for (var i = 0; i < rounds; i++)
        {
            if (_inbox.HasWork || IsStopped) return;
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

        _inbox.Park(wait, this);
    }
}
