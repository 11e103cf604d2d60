namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// How many a silo refuses at once in a second. A refusal takes processor time, and a caller that is refused comes
/// again. If all that would wait for too long were refused at once, then the more of them came, the fewer would get
/// done, so that still more would have to be refused: a silo never comes out of that by itself. Those beyond the budget
/// wait, which costs nothing, and get their turn if the queue moves faster than was thought.
/// </summary>
/// <remarks>A token bucket. Not thread-safe.</remarks>
/// <param name="processors">How many there are.</param>
/// <param name="time">The clock.</param>
internal sealed class RefusalBudget(int processors, TimeProvider time)
{
    /// <summary>In a second, for each processor.</summary>
    public const int PerProcessor = 200;

    // What may be refused at once after a pause, in seconds' worth.
    private const double Saved = 0.25;

    private double _left = PerProcessor * processors * Saved;
    private long _countedAt = time.GetTimestamp();

    /// <summary>Takes one, if any is left.</summary>
    public bool TryTake()
    {
        var (now, rate) = (time.GetTimestamp(), (double)PerProcessor * processors);
        _left = Math.Min(rate * Saved, _left + (time.GetElapsedTime(_countedAt, now).TotalSeconds * rate));
        _countedAt = now;
        if (_left < 1) return false;
        _left--;
        return true;
    }
}
