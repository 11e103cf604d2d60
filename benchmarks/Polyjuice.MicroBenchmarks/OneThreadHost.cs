using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Engine;

namespace Polyjuice.MicroBenchmarks;

/// <summary>The smallest host: one engine, driven by the thread that waits for it.</summary>
internal sealed class OneThreadHost(NodeId node) : SynchronizationContext, IEngineHost
{
    private readonly Queue<(SendOrPostCallback Callback, object? State)> _ready = new();
    private readonly PriorityQueue<Action, long> _timers = new();
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private readonly long _epoch = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() * 1_000;
    private ulong _random;
    private bool _flush;

    public TransactionEngine? Engine { get; set; }

    public long UtcMicroseconds => _epoch + (long)Stopwatch.GetElapsedTime(_startedAt).TotalMicroseconds;

    public ulong NextRandom() => _random += 0x9E3779B97F4A7C15UL;

    public void Send(NodeId destination, ReadOnlySpan<byte> batch) =>
        throw new InvalidOperationException("There is no other node.");

    public void Schedule(long delayMicroseconds, Action callback) =>
        _timers.Enqueue(callback, UtcMicroseconds + delayMicroseconds);

    public void RequestFlush() => _flush = true;

    public NodeId OwnerOf(int partition) => node;

    public override void Post(SendOrPostCallback d, object? state) => _ready.Enqueue((d, state));

    /// <summary>Runs a function on the engine's turn, and everything that follows, until its task has ended.</summary>
    public void Run(Func<Task> function)
    {
        var outer = Current;
        SetSynchronizationContext(this);
        try
        {
            var task = function();
            while (!task.IsCompleted) Step();
            RunDueTimers();
            task.GetAwaiter().GetResult();
        }
        finally
        {
            SetSynchronizationContext(outer);
        }
    }

    /// <summary>Runs one transaction on the engine's turn until it has ended.</summary>
    public void Run(AccessBody body)
    {
        var outer = Current;
        SetSynchronizationContext(this);
        try
        {
            body.Start(Engine!);
            while (!body.HasCompleted) Step();
            RunDueTimers();
            body.ThrowIfFailed();
        }
        finally
        {
            SetSynchronizationContext(outer);
        }
    }

    private void Step()
    {
        if (_ready.TryDequeue(out var work)) work.Callback(work.State);
        else if (_flush)
        {
            _flush = false;
            Engine!.Flush();
        }
        else RunDueTimers();
    }

    private void RunDueTimers()
    {
        while (_timers.TryPeek(out var callback, out var due) && due <= UtcMicroseconds)
        {
            _timers.Dequeue();
            callback();
        }
    }
}
