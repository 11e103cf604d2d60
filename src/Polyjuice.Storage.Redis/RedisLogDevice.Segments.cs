using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

// Segments: strings.
internal sealed partial class RedisLogDevice
{
    /// <inheritdoc/>
    public async ValueTask CreateAsync(string segment, CancellationToken cancellationToken) =>
        await ScriptAsync(
            "create", segment, RedisScripts.Create, [KeyOf(segment), _names], [segment],
            cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes.Length, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes.Length, AppendBytesMax);

        // A copy, because the client may send it later than the caller leaves the bytes alone, if that one gives up.
        return AppendCoreAsync(segment, offset, bytes.ToArray(), cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (buffer.Length == 0)
        {
            await GetLengthAsync(name, cancellationToken).ConfigureAwait(false);
            return 0;
        }

        var answer = await ScriptAsync(
            "read", name, RedisScripts.Read, [KeyOf(name)], [offset, offset + buffer.Length - 1],
            cancellationToken).ConfigureAwait(false);
        var bytes = (byte[]?)answer ?? throw NotThere(name);
        bytes.CopyTo(buffer);
        return bytes.Length;
    }

    // Never repeated here: an append whose answer got lost is unknown, and who asked looks for it and goes on.
    private async ValueTask<DeviceAppendResult> AppendCoreAsync(
        string segment, long offset, byte[] bytes, CancellationToken cancellationToken) =>
        (int)await ScriptAsync(
            "append to", segment, RedisScripts.Append, [KeyOf(segment)], [offset, bytes],
            cancellationToken).ConfigureAwait(false) switch
        {
            1 => DeviceAppendResult.Appended,
            0 => DeviceAppendResult.Conflict,
            _ => throw NotThere(segment),
        };
}
