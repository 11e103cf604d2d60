namespace Polyjuice.Lab.Tool.Cold;

/// <summary>What a storage provider was asked for. Thread-safe.</summary>
internal sealed class StorageCounts
{
    private long _loads;
    private long _stores;
    private long _bytes;
    private long _loading;
    private long _loadingMost;

    /// <summary>The counts until now, which begin anew.</summary>
    public StorageCount Take() => new(
        Interlocked.Exchange(ref _loads, 0), Interlocked.Exchange(ref _stores, 0), Interlocked.Exchange(ref _bytes, 0),
        Interlocked.Exchange(ref _loadingMost, 0));

    /// <summary>A load begins; it ends when what this returns is disposed of.</summary>
    public Load BeginLoad()
    {
        Interlocked.Increment(ref _loads);
        var now = Interlocked.Increment(ref _loading);
        for (var most = Volatile.Read(ref _loadingMost); now > most;)
        {
            var found = Interlocked.CompareExchange(ref _loadingMost, now, most);
            if (found == most) break;
            most = found;
        }

        return new(this);
    }

    /// <summary>A store begins.</summary>
    public void Stored(long bytes)
    {
        Interlocked.Increment(ref _stores);
        Interlocked.Add(ref _bytes, bytes);
    }

    /// <summary>A load under way.</summary>
    internal readonly struct Load(StorageCounts counts) : IDisposable
    {
        /// <inheritdoc/>
        public void Dispose() => Interlocked.Decrement(ref counts._loading);
    }
}

/// <summary>What a storage provider was asked for.</summary>
/// <param name="Loads">Rows loaded.</param>
/// <param name="Stores">Rows stored.</param>
/// <param name="Bytes">Bytes of what was stored.</param>
/// <param name="LoadsTogether">The most loads that were under way at a time.</param>
internal readonly record struct StorageCount(long Loads, long Stores, long Bytes, long LoadsTogether);
