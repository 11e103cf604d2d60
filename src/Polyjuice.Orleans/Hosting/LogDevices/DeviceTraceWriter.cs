namespace Polyjuice.Storage;

/// <summary>Writes a trace's file to a device, a block for each write. By one at a time.</summary>
internal sealed class DeviceTraceWriter(DeviceTraceSink sink, string file) : OneWayStream
{
    private int _blocks;
    private bool _hasFailed;

    public override bool CanWrite => true;

    /// <summary>Puts the next block, also an empty one.</summary>
    public async Task PutAsync(ReadOnlyMemory<byte> block, CancellationToken cancellationToken)
    {
        // Nobody knows what is there of the one that failed.
        if (_hasFailed)
            throw new IOException($"The trace {file} in {sink.Location} was given up after a write that failed.");
        _hasFailed = true;
        await sink.PutAsync(file, _blocks, block, cancellationToken).ConfigureAwait(false);
        (_blocks, _hasFailed) = (_blocks + 1, false);
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (buffer.Length > 0) await PutAsync(buffer, cancellationToken).ConfigureAwait(false);
    }
}
