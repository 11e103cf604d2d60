using System.Diagnostics;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// How long clients have been late in all because this process, or its machine, was: a call's time is judged without
/// it. On the clients' thread, whose beats come over the system's timers and the thread pool, as calls' timeouts do.
/// </summary>
internal sealed class StallWatch
{
    private static readonly TimeSpan _interval = TimeSpan.FromMilliseconds(100);
    private TimeSpan _late;
    private long _began = Stopwatch.GetTimestamp();

    /// <summary>The time by which beats have come too late so far, that of the next one included.</summary>
    public TimeSpan Late => _late + Lateness;

    private TimeSpan Lateness =>
        Stopwatch.GetElapsedTime(_began) - _interval is { Ticks: > 0 } late ? late : TimeSpan.Zero;

    /// <summary>Watches until it is over.</summary>
    public async Task RunAsync(CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            _began = Stopwatch.GetTimestamp();
            await Task.Delay(_interval, CancellationToken.None);
            _late += Lateness;
        }

        _began = long.MaxValue;
    }
}
