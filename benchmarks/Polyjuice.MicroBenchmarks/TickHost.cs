using Polyjuice.Contracts;
using Polyjuice.Engine;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// One engine on a clock that stands until it is moved, whose housekeeping comes when it is asked for.
/// </summary>
internal sealed class TickHost(NodeId node) : SynchronizationContext, IEngineHost
{
    private readonly Queue<(SendOrPostCallback Callback, object? State)> _ready = new();
    private Action? _housekeeping;
    private ulong _random;
    private bool _flush;

    public TransactionEngine? Engine { get; set; }

    public long UtcMicroseconds { get; private set; } = 1_000_000_000_000;

    public ulong NextRandom() => _random += 0x9E3779B97F4A7C15UL;

    public void Send(NodeId destination, ReadOnlySpan<byte> batch) =>
        throw new InvalidOperationException("There is no other node.");

    public void Schedule(long delayMicroseconds, Action callback) =>
        throw new InvalidOperationException("Nobody waits for time here.");

    public void ScheduleHousekeeping(long delayMicroseconds, Action callback) => _housekeeping = callback;

    public void RequestFlush() => _flush = true;

    public NodeId OwnerOf(int partition) => node;

    public override void Post(SendOrPostCallback d, object? state) => _ready.Enqueue((d, state));

    /// <summary>Runs something on the engine's turn, and what follows at once.</summary>
    public void Run(Action action)
    {
        var outer = Current;
        SetSynchronizationContext(this);
        try
        {
            action();
            while (true)
            {
                if (_ready.TryDequeue(out var work))
                {
                    work.Callback(work.State);
                }
                else if (_flush)
                {
                    _flush = false;
                    Engine!.Flush();
                }
                else
                {
                    return;
                }
            }
        }
        finally
        {
            SetSynchronizationContext(outer);
        }
    }

    /// <summary>Time goes by, and the housekeeping that it brings is done.</summary>
    public void Tick(long microseconds)
    {
        UtcMicroseconds += microseconds;
        Run(_housekeeping!);
    }
}
