namespace Polyjuice.Publishing;

/// <summary>
/// Keeps entries in this process's memory, for tests and experiments. Calls complete at once. Thread-safe.
/// </summary>
internal sealed class MemoryPolicyEntries : IPolicyEntries
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<int, byte[]> _entries = [];
    private Action? _changed;

    /// <inheritdoc/>
    public string Location => "memory";

    /// <inheritdoc/>
    public ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<int>(cancellationToken);
        lock (_gate) return new(_entries.Count == 0 ? 0 : _entries.Keys.Max());
    }

    /// <inheritdoc/>
    public ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<byte[]?>(cancellationToken);
        lock (_gate) return new(_entries.GetValueOrDefault(number)?.ToArray());
    }

    /// <inheritdoc/>
    public ValueTask<bool> CreateAsync(int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<bool>(cancellationToken);
        Action? changed;
        lock (_gate)
        {
            if (!_entries.TryAdd(number, content.ToArray())) return new(false);
            changed = _changed;
        }

        changed?.Invoke();
        return new(true);
    }

    /// <inheritdoc/>
    public IDisposable Watch(Action changed)
    {
        lock (_gate) _changed += changed;
        return new Watcher(this, changed);
    }

    private sealed class Watcher(MemoryPolicyEntries entries, Action changed) : IDisposable
    {
        public void Dispose()
        {
            lock (entries._gate) entries._changed -= changed;
        }
    }
}
