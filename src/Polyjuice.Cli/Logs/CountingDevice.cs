using Polyjuice.Storage;

namespace Polyjuice.Cli.Logs;

/// <summary>A device that is only read from, and says how much.</summary>
internal sealed class CountingDevice(ILogDevice inner, Action<int> read) : ILogDevice
{
    public string Location => inner.Location;

    public bool MayTear => inner.MayTear;

    public int AppendBytesMax => inner.AppendBytesMax;

    public int AppendsPerSegmentMax => inner.AppendsPerSegmentMax;

    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken) =>
        inner.ListAsync(prefix, cancellationToken);

    public ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken) =>
        inner.GetLengthAsync(name, cancellationToken);

    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAnsweredAsync(
        string prefix, CancellationToken cancellationToken) =>
        inner.ListAnsweredAsync(prefix, cancellationToken);

    public async ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        var count = await inner.ReadAsync(name, offset, buffer, cancellationToken);
        read(count);
        return count;
    }

    public ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) => throw OnlyRead();

    public ValueTask CreateAsync(string segment, CancellationToken cancellationToken) => throw OnlyRead();

    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken) =>
        throw OnlyRead();

    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        throw OnlyRead();

    public ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken) =>
        throw OnlyRead();

    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken) => throw OnlyRead();

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private static NotSupportedException OnlyRead() => new("These logs are only looked at.");
}
