using System.Collections.Concurrent;
using System.Globalization;

namespace Polyjuice.Tests.Storages;

/// <summary>
/// What storage providers keep, in this process's memory: it
/// outlives silos and clusters, as a database does. Thread-safe.
/// </summary>
public sealed class StoredRows
{
    private static readonly ConcurrentDictionary<string, StoredRows> s_databases = new(StringComparer.Ordinal);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, (string ETag, object Content)> _rows = new(StringComparer.Ordinal);
    private long _lastETag;
    private int _reads;
    private int _writes;

    /// <summary>
    /// Comes before and after each call: what it awaits makes the storage slow, what it throws makes it fail.
    /// </summary>
    public Func<StorageMoment, string, ValueTask> At { get; set; } = static (_, _) => default;

    /// <summary>How often something was read.</summary>
    public int Reads => Volatile.Read(ref _reads);

    /// <summary>How often something was written.</summary>
    public int Writes => Volatile.Read(ref _writes);

    /// <summary>The names of the rows.</summary>
    public IReadOnlyList<string> Keys
    {
        get
        {
            lock (_gate) return [.. _rows.Keys];
        }
    }

    /// <summary>The database of a name, which all in this process share.</summary>
    public static StoredRows Named(string name) => s_databases.GetOrAdd(name, static _ => new());

    /// <summary>Reads a row.</summary>
    public (string? ETag, object? Content) Read(string key)
    {
        Interlocked.Increment(ref _reads);
        lock (_gate) return _rows.TryGetValue(key, out var row) ? row : default;
    }

    /// <summary>Writes a row, if it still is the one of the ETag.</summary>
    /// <exception cref="global::Orleans.Storage.InconsistentStateException">It is not.</exception>
    public string Write(string key, string? expectedETag, object content)
    {
        Interlocked.Increment(ref _writes);
        lock (_gate)
        {
            var known = _rows.TryGetValue(key, out var row) ? row.ETag : null;
            if (known != expectedETag)
                throw new global::Orleans.Storage.InconsistentStateException(
                    $"{key} is at {known ?? "none"}.", known ?? "", expectedETag ?? "");
            var etag = (++_lastETag).ToString(CultureInfo.InvariantCulture);
            _rows[key] = (etag, content);
            return etag;
        }
    }

    /// <summary>Removes a row.</summary>
    public void Remove(string key)
    {
        lock (_gate) _rows.Remove(key);
    }
}
