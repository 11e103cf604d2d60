using Polyjuice.Publishing;

namespace Polyjuice.Storage;

/// <summary>
/// Keeps published policies as objects of a device, <c>00000001.json</c> and so on. Of several publishers the device
/// lets one put an entry. Thread-safe.
/// </summary>
/// <param name="device">Where. It is the caller's, and is not disposed.</param>
/// <param name="prepareAsync">Makes the device ready, before it is used first; may be called several times at
/// once.</param>
internal class DevicePolicyEntries(ILogDevice device, Func<CancellationToken, Task> prepareAsync)
    : DeviceContent(device, prepareAsync), IPolicyEntries
{
    /// <inheritdoc/>
    public async ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        var last = 0;
        foreach (var entry in await Device.ListAsync("", cancellationToken).ConfigureAwait(false))
            last = Math.Max(last, PolicyEntryName.NumberOf(entry.Name));
        return last;
    }

    /// <inheritdoc/>
    public async ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var length = await Device.GetLengthAsync(
                PolicyEntryName.Of(number), cancellationToken).ConfigureAwait(false);
            if (length > IPolicyEntries.EntryBytesMax)
            {
                throw new InvalidDataException(
                    $"{Location}/{PolicyEntryName.Of(number)} has {length} bytes; an entry has at most "
                    + $"{IPolicyEntries.EntryBytesMax}. Somebody else wrote it: move it away.");
            }

            var content = new byte[length];
            var read = await Device.ReadAsync(
                PolicyEntryName.Of(number), 0, content, cancellationToken).ConfigureAwait(false);
            return read == length
                ? content
                : throw new IOException(
                    $"{Location}/{PolicyEntryName.Of(number)} has {length} bytes, and {read} of them are there.");
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> CreateAsync(
        int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(content.Length, IPolicyEntries.EntryBytesMax);
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        return await Device.PutAsync(PolicyEntryName.Of(number), Pieces(content), overwrite: false, cancellationToken)
            .ConfigureAwait(false);
    }
}
