using Polyjuice.Tracing;

namespace Polyjuice.Storage;

/// <summary>
/// Writes traces to a device, an object for each block: <c>FILE/NUMBER-TIME</c>. So a block is there whole or not at
/// all, and its name says when it came. Thread-safe.
/// </summary>
/// <param name="device">Where. It is the caller's, and is not disposed.</param>
/// <param name="prepareAsync">Makes the device ready, before it is used first; may be called several times at
/// once.</param>
internal sealed class DeviceTraceSink(ILogDevice device, Func<CancellationToken, Task> prepareAsync)
    : DeviceContent(device, prepareAsync), ITraceSink
{
    /// <summary>Reads what is written there, by this process and others.</summary>
    public ITraceSource Source => field ??= new DeviceTraceSource(this);

    /// <inheritdoc/>
    public async Task<Stream> CreateAsync(string name, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if ((await ListAsync(name, cancellationToken).ConfigureAwait(false)).Count > 0)
            throw new IOException($"There is a trace {name} in {Location} already.");
        var file = new DeviceTraceWriter(this, name);

        // The first block is empty: it says that there is a file of this name.
        await file.PutAsync(default, cancellationToken).ConfigureAwait(false);
        return file;
    }

    /// <summary>Puts a block.</summary>
    /// <exception cref="IOException">It can't be reached, or there is one of that name.</exception>
    internal async Task PutAsync(
        string file, int number, ReadOnlyMemory<byte> block, CancellationToken cancellationToken)
    {
        var name = TraceBlockName.Of(file, number, TimeProvider.System.GetUtcNow());
        if (await Device.PutAsync(name, Pieces(block), overwrite: false, cancellationToken).ConfigureAwait(false))
            return;
        throw new IOException($"{Location}/{name} is there already: somebody else writes a trace of that name.");
    }

    /// <summary>All blocks of all files, or of one, in their order.</summary>
    internal async Task<IReadOnlyList<TraceBlock>> ListAsync(string? file, CancellationToken cancellationToken)
    {
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        var prefix = file is null ? "" : TraceBlockName.FolderOf(file);
        var entries = await Device.ListAsync(prefix, cancellationToken).ConfigureAwait(false);
        return [.. entries.Select(TraceBlockName.Parse).OfType<TraceBlock>()];
    }

    /// <summary>The bytes of a block.</summary>
    /// <exception cref="FileNotFoundException">It is gone.</exception>
    internal async Task<byte[]> ReadAsync(TraceBlock block)
    {
        var bytes = new byte[block.Bytes];
        var read = await Device.ReadAsync(block.Name, 0, bytes, CancellationToken.None).ConfigureAwait(false);
        return read == bytes.Length
            ? bytes
            : throw new IOException($"{Location}/{block.Name} had {bytes.Length} bytes, and {read} of them are there.");
    }

    /// <summary>Deletes a block.</summary>
    internal ValueTask DeleteAsync(TraceBlock block, CancellationToken cancellationToken) =>
        Device.DeleteAsync(block.Name, cancellationToken);
}
