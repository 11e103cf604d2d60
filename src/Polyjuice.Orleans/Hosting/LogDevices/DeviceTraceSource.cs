using Polyjuice.Tracing;

namespace Polyjuice.Storage;

/// <summary>Reads what a <see cref="DeviceTraceSink"/> of the same place writes. Thread-safe.</summary>
internal sealed class DeviceTraceSource(DeviceTraceSink sink) : ITraceSource
{
    /// <inheritdoc/>
    public string Location => sink.Location;

    /// <inheritdoc/>
    public async Task<IReadOnlyList<TraceFileInfo>> ListAsync(CancellationToken cancellationToken)
    {
        var blocks = await sink.ListAsync(null, cancellationToken).ConfigureAwait(false);
        return
        [
            .. blocks.GroupBy(block => block.File).Select(file => new TraceFileInfo(
                file.Key, file.Sum(block => block.Bytes), file.Max(block => block.WrittenAt))),
        ];
    }

    /// <inheritdoc/>
    public Stream Open(string name)
    {
        // Who reads a trace does so on a thread of its own, and waits.
        var blocks = sink.ListAsync(name, CancellationToken.None).GetAwaiter().GetResult();
        if (blocks.Count == 0) throw new FileNotFoundException($"There is no trace {name} in {Location}.", name);
        for (var number = 0; number < blocks.Count; number++)
        {
            if (blocks[number].Number != number)
                throw new IOException($"Block {number} of the trace {name} is missing in {Location}.");
        }

        return new DeviceTraceReader(sink, blocks);
    }

    /// <inheritdoc/>
    public async Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        // The last one first: if this ends early, what is left is a trace with a torn end.
        var blocks = await sink.ListAsync(name, cancellationToken).ConfigureAwait(false);
        foreach (var block in blocks.Reverse())
            await sink.DeleteAsync(block, cancellationToken).ConfigureAwait(false);
    }
}
