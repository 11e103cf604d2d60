using System.Runtime.CompilerServices;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// Writes an image down as a checkpoint's content: batches of records, which <see cref="LogImage.Add"/> takes back.
/// </summary>
internal sealed class ImageWriter(LogImage image, PartitionNames names)
{
    /// <inheritdoc cref="LogImage.Write"/>
    public IEnumerable<ReadOnlyMemory<byte>> Write()
    {
        var piece = new ByteWriter(names);
        Begin(piece);
        foreach (var participant in image.States.Sorted())
        {
            if (LogImage.IsFull(piece)) yield return Take(piece);
            image.States.Write(participant, piece);
        }

        foreach (var last in WriteRest(piece)) yield return last;
    }

    /// <inheritdoc cref="LogImage.WriteOver"/>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> WriteOver(
        IAsyncEnumerable<ReadOnlyMemory<byte>> below, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var piece = new ByteWriter(names);
        Begin(piece);
        var merge = new StateMerge(image.States);
        await foreach (var old in below.WithCancellation(cancellationToken))
        {
            for (var at = 0; merge.Copy(old.Span, ref at, piece);) yield return Take(piece);
        }

        while (merge.CopyRest(piece)) yield return Take(piece);
        foreach (var last in WriteRest(piece)) yield return last;
    }

    // What was taken is in the buffer still, and valid until somebody writes to it.
    private static ReadOnlyMemory<byte> Take(ByteWriter piece)
    {
        var taken = piece.WrittenMemory;
        piece.Clear();
        return taken;
    }

    private void Begin(ByteWriter piece)
    {
        image.Compact();
        LogRecords.WriteCeiling(piece, image.Ceiling);
        LogRecords.WriteLatest(piece, image.MaxTimestamp);
        LogRecords.WriteOldestLive(piece, [.. image.OldestLive.OrderBy(agent => agent.Key)]);
    }

    private IEnumerable<ReadOnlyMemory<byte>> WriteRest(ByteWriter piece)
    {
        foreach (var write in RecordsBehindStates())
        {
            if (LogImage.IsFull(piece)) yield return Take(piece);
            write(piece);
        }

        if (piece.Length > 0) yield return piece.WrittenMemory;
    }

    private IEnumerable<Action<ByteWriter>> RecordsBehindStates()
    {
        for (var at = image.FirstPrepare; at >= 0; at = image.NextPrepare(at))
        {
            var prepare = at;
            yield return piece => LogRecords.WriteRecord(piece, image.RecordOf(prepare));
        }

        foreach (var id in image.Commits.Ids.Order())
            yield return piece => LogRecords.WriteRecord(piece, image.Commits.RecordOf(id));
        foreach (var (id, committed) in image.Resolutions.OrderBy(r => r.Key))
            yield return piece => LogRecords.WriteResolved(piece, id, committed);
        foreach (var (id, committed) in image.Outcomes.OrderBy(o => o.Key))
            yield return piece => LogRecords.WriteOutcome(piece, id, committed, manager: 0);
        foreach (var id in image.Forgotten.Order()) yield return piece => LogRecords.WriteForget(piece, id);
    }
}
