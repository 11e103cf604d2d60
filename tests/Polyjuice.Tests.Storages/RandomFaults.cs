using Orleans.Storage;

namespace Polyjuice.Tests.Storages;

/// <summary>
/// Makes storage calls fail: before their effect, in the middle of
/// it, after it, or as if somebody else had written. Thread-safe.
/// </summary>
public sealed class RandomFaults(int seed, double probability)
{
    private readonly Lock _gate = new();
    private readonly Random _random = new(seed);
    private int _count;

    /// <summary>How many calls have failed.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>For <see cref="StoredRows.At"/>.</summary>
    public ValueTask At(StorageMoment moment, string key)
    {
        double drawn;
        lock (_gate) drawn = _random.NextDouble();
        if (drawn >= probability) return default;
        Interlocked.Increment(ref _count);
        if (moment == StorageMoment.BeforeWrite && drawn < probability / 4)
            throw new InconsistentStateException($"Injected: {key} was written by somebody else.");
        throw new IOException($"Injected: {moment} of {key}.");
    }
}
