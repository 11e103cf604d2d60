using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage;

/// <summary>
/// A device in memory, whose next appends may be told how to end; several
/// logs may use it at once, as processes use a container of blobs.
/// </summary>
internal sealed class MemoryDevice : ILogDevice
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, byte[]> _things = new(StringComparer.Ordinal);

    public string Location => "memory";

    public bool MayTear { get; set; }

    public int AppendBytesMax { get; set; } = 1 << 20;

    public int AppendsPerSegmentMax { get; set; } = 1_000;

    /// <summary>What becomes of the next append: before it, after it (reported as failed), or as usual.</summary>
    public Queue<(bool Happens, bool Throws)> Fates { get; } = [];

    public int Appends { get; private set; }

    public bool IsDisposed { get; private set; }

    /// <summary>
    /// Whether the device had been disposed when its lock was given back; <see langword="null"/> while nobody has.
    /// </summary>
    public bool? WasDisposedBeforeUnlocked { get; private set; }

    public IReadOnlyDictionary<string, byte[]> Things => _things;

    public void Change(string name, Func<byte[], byte[]> change) => _things[name] = change(_things[name]);

    public void Remove(string name) => _things.Remove(name);

    public ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<ILogDeviceLock>(cancellationToken)
            : new(new NoLock(this));

    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
            return new([
                .. _things.Where(t => t.Key.StartsWith(prefix, StringComparison.Ordinal))
                .Select(t => new LogDeviceEntry(t.Key, t.Value.Length))
            ]);
    }

    public ValueTask CreateAsync(string segment, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) _things.TryAdd(segment, []);
        return ValueTask.CompletedTask;
    }

    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            Appends++;
            var (happens, throws) = Fates.TryDequeue(out var fate) ? fate : (true, false);
            var known = Find(segment);
            var fits = known.Length == offset;
            if (fits && happens) _things[segment] = [.. known, .. bytes.Span];
            if (throws) throw new IOException("The device failed (test).");
            return new(fits ? DeviceAppendResult.Appended : DeviceAppendResult.Conflict);
        }
    }

    public ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
            return _things.TryGetValue(name, out var known)
                ? new(known.Length)
                : ValueTask.FromException<long>(new FileNotFoundException(name));
    }

    public ValueTask<int> ReadAsync(string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            var rest = Find(name).AsSpan((int)offset);
            rest = rest[..Math.Min(rest.Length, buffer.Length)];
            rest.CopyTo(buffer.Span);
            return new(rest.Length);
        }
    }

    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken)
    {
        if (!MayTear) throw new NotSupportedException();
        lock (_gate) _things[segment] = Find(segment)[..(int)length];
        return ValueTask.CompletedTask;
    }

    public async ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var bytes = new List<byte>();
        await foreach (var piece in content.WithCancellation(cancellationToken)) bytes.AddRange(piece.Span);
        lock (_gate)
        {
            if (!overwrite && _things.ContainsKey(name)) return false;
            _things[name] = [.. bytes];
            return true;
        }
    }

    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) _things.Remove(name);
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    private byte[] Find(string name) =>
        _things.TryGetValue(name, out var known) ? known : throw new FileNotFoundException(name);

    private sealed class NoLock(MemoryDevice device) : ILogDeviceLock
    {
        public CancellationToken Lost => CancellationToken.None;

        public ValueTask DisposeAsync()
        {
            device.WasDisposedBeforeUnlocked ??= device.IsDisposed;
            return ValueTask.CompletedTask;
        }
    }
}
