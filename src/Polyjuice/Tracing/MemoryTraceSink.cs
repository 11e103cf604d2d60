namespace Polyjuice.Tracing;

/// <summary>Keeps traces in memory, for tests and tools; without bound. Writes complete at once. Thread-safe.</summary>
internal sealed class MemoryTraceSink : ITraceSink
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, MemoryStream> _files = new(StringComparer.Ordinal);

    /// <summary>What was written so far, by name and in the order of names.</summary>
    public IReadOnlyList<(string Name, byte[] Content)> Files
    {
        get
        {
            lock (_gate) return [.. _files.Select(file => (file.Key, file.Value.ToArray()))];
        }
    }

    /// <inheritdoc/>
    public Task<Stream> CreateAsync(string name, CancellationToken cancellationToken)
    {
        var stream = new MemoryStream();
        lock (_gate)
        {
            if (!_files.TryAdd(name, stream)) throw new IOException($"There is a trace {name} already.");
        }

        return Task.FromResult<Stream>(stream);
    }
}
