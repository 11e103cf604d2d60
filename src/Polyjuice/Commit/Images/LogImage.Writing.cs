using System.Runtime.CompilerServices;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Commit;

// A checkpoint's content: batches of records, which Add takes back.
internal sealed partial class LogImage
{
    /// <summary>A piece is full when it has grown to this.</summary>
    public const int PieceBytes = 256 << 10;

    /// <summary>The image in pieces, each valid until the next is asked for. Of equal images they are equal, byte for byte.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Write()
    {
        var piece = new ByteWriter(_names);
        Begin(piece);
        foreach (var participant in States.Sorted())
        {
            if (IsFull(piece)) yield return Take(piece);
            States.Write(participant, piece);
        }

        foreach (var last in WriteRest(piece)) yield return last;
    }

    /// <summary>The same of an image over a checkpoint, whose states are copied from there piece by piece, apart from those that came after it.</summary>
    /// <param name="below">That checkpoint's pieces.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> WriteOver(IAsyncEnumerable<ReadOnlyMemory<byte>> below, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var piece = new ByteWriter(_names);
        Begin(piece);
        var merge = new StateMerge(States);
        await foreach (var old in below.WithCancellation(cancellationToken))
        {
            for (var at = 0; merge.Copy(old.Span, ref at, piece);) yield return Take(piece);
        }

        while (merge.CopyRest(piece)) yield return Take(piece);
        foreach (var last in WriteRest(piece)) yield return last;
    }

    public static bool IsFull(ByteWriter piece) => piece.Length >= PieceBytes;

    // What was taken is in the buffer still, and valid until somebody writes to it.
    private static ReadOnlyMemory<byte> Take(ByteWriter piece)
    {
        var taken = piece.WrittenMemory;
        piece.Clear();
        return taken;
    }

    private void Begin(ByteWriter piece)
    {
        Compact();
        LogRecords.WriteCeiling(piece, Ceiling);
        LogRecords.WriteLatest(piece, MaxTimestamp);
        LogRecords.WriteOldestLive(piece, [.. OldestLive.OrderBy(agent => agent.Key)]);
    }

    private IEnumerable<ReadOnlyMemory<byte>> WriteRest(ByteWriter piece)
    {
        foreach (var write in RecordsBehindStates())
        {
            if (IsFull(piece)) yield return Take(piece);
            write(piece);
        }

        if (piece.Length > 0) yield return piece.WrittenMemory;
    }

    private IEnumerable<Action<ByteWriter>> RecordsBehindStates()
    {
        for (var at = _prepares.First; at >= 0; at = _prepares.Next(at))
        {
            var prepare = at;
            yield return piece => LogRecords.WriteRecord(piece, _prepares[prepare]);
        }

        foreach (var id in Commits.Ids.Order()) yield return piece => LogRecords.WriteRecord(piece, Commits.RecordOf(id));
        foreach (var (id, committed) in Resolutions.OrderBy(r => r.Key)) yield return piece => LogRecords.WriteResolved(piece, id, committed);
        foreach (var (id, committed) in Outcomes.OrderBy(o => o.Key)) yield return piece => LogRecords.WriteOutcome(piece, id, committed, manager: 0);
        foreach (var id in Forgotten.Order()) yield return piece => LogRecords.WriteForget(piece, id);
    }
}
