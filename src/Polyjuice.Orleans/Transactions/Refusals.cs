namespace Polyjuice.Orleans.Transactions;

/// <summary>The transactions that this silo has not let begin because it is overloaded. Thread-safe.</summary>
internal sealed class Refusals(TimeProvider? time = null)
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private long _count;
    private long _last;

    /// <summary>How many, so far.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>There is another one.</summary>
    public void Add()
    {
        Volatile.Write(ref _last, _time.GetTimestamp());
        Interlocked.Increment(ref _count);
    }

    /// <summary>Whether the last one was no longer ago.</summary>
    public bool WithinLast(TimeSpan window) => Count > 0 && _time.GetElapsedTime(Volatile.Read(ref _last)) < window;
}
