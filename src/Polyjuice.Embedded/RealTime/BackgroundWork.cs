namespace Polyjuice.Embedded.RealTime;

/// <summary>Runs what takes long beside the loops, and knows when. Thread-safe.</summary>
internal sealed class BackgroundWork
{
    private int _running;
    private long _lastEnded = long.MinValue;

    public Task Run(Func<Task> work)
    {
        Interlocked.Increment(ref _running);
        return Task.Run(async () =>
        {
            try
            {
                await work().ConfigureAwait(false);
            }
            finally
            {
                Volatile.Write(ref _lastEnded, Clock.UtcMicroseconds);
                Interlocked.Decrement(ref _running);
            }
        });
    }

    /// <summary>Whether any of it runs, or ran since a time.</summary>
    public bool RanSince(long since) => Volatile.Read(ref _running) > 0 || Volatile.Read(ref _lastEnded) >= since;
}
