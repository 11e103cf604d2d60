using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>A device as one process, or one machine, reaches it.</summary>
internal sealed class SimulatedDeviceView(SimulatedDevice device, Func<bool> isAlive) : ILogDevice
{
    public bool IsAlive => isAlive();

    public string Location => "simulated";

    public bool MayTear => device.IsDisk;

    public int AppendBytesMax => device.AppendBytesMax;

    public int AppendsPerSegmentMax => 1_000;

    public ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) =>
        throw new NotSupportedException("A simulated machine shares its logs within.");

    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(
        string prefix, CancellationToken cancellationToken) => new(device.LookAsync<IReadOnlyList<LogDeviceEntry>>(
        things => [
            .. things.Where(t => t.Key.StartsWith(prefix, StringComparison.Ordinal))
            .Select(t => new LogDeviceEntry(t.Key, t.Value.Length))
        ],
        cancellationToken));

    public async ValueTask CreateAsync(string segment, CancellationToken cancellationToken) =>
        await device.CreateAsync(this, segment, cancellationToken);

    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken) =>
        new(device.AppendAsync(this, segment, offset, bytes, cancellationToken));

    public ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken) =>
        new(device.LookAsync(things => (long)Find(things, name).Length, cancellationToken));

    public ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken) => new(device.LookAsync(
        things =>
        {
            var rest = Find(things, name).AsSpan((int)offset);
            rest = rest[..Math.Min(rest.Length, buffer.Length)];
            rest.CopyTo(buffer.Span);
            return rest.Length;
        },
        cancellationToken));

    public async ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        await device.TruncateAsync(this, segment, length, cancellationToken);

    public async ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        var bytes = new List<byte>();
        await foreach (var piece in content.WithCancellation(cancellationToken)) bytes.AddRange(piece.Span);
        return await device.PutAsync(this, name, [.. bytes], overwrite, cancellationToken);
    }

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken) =>
        await device.DeleteAsync(this, name, cancellationToken);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static byte[] Find(SortedDictionary<string, byte[]> things, string name) =>
        things.TryGetValue(name, out var known)
            ? known
            : throw new FileNotFoundException($"There is no {name} (simulated).");
}
