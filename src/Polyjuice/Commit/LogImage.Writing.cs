using Polyjuice.Hosting;

namespace Polyjuice.Commit;

// A checkpoint's content: batches of records, which Add takes back.
internal sealed partial class LogImage
{
    private const int PieceBytes = 256 << 10;

    /// <summary>The image in pieces, each valid until the next is asked for. Of equal images they are equal, byte for byte.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Write()
    {
        Compact();
        var piece = new ByteWriter(names);
        LogRecords.WriteCeiling(piece, Ceiling);
        LogRecords.WriteLatest(piece, MaxTimestamp);
        LogRecords.WriteOldestLive(piece, [.. OldestLive.OrderBy(agent => agent.Key)]);
        foreach (var write in Records())
        {
            write(piece);
            if (piece.Length < PieceBytes) continue;
            yield return piece.WrittenMemory;
            piece.Clear();
        }

        if (piece.Length > 0) yield return piece.WrittenMemory;
    }

    private IEnumerable<Action<ByteWriter>> Records()
    {
        var keys = States.Keys.ToArray();
        Array.Sort(keys, static (a, b) =>
        {
            var order = string.CompareOrdinal(a.Grain, b.Grain);
            if (order == 0) order = string.CompareOrdinal(a.State, b.State);
            return order != 0 ? order : string.CompareOrdinal(a.GrainClass, b.GrainClass);
        });
        foreach (var key in keys) yield return piece => LogRecords.WriteState(piece, key, States[key]);
        foreach (var prepare in _order) yield return piece => LogRecords.WritePrepare(piece, prepare);
        foreach (var commit in Commits.OrderBy(c => c.Key)) yield return piece => LogRecords.WriteCommit(piece, commit.Value);
        foreach (var (id, committed) in Resolutions.OrderBy(r => r.Key)) yield return piece => LogRecords.WriteResolved(piece, id, committed);
        foreach (var (id, committed) in Outcomes.OrderBy(o => o.Key)) yield return piece => LogRecords.WriteOutcome(piece, id, committed, manager: 0);
        foreach (var id in Forgotten.Order()) yield return piece => LogRecords.WriteForget(piece, id);
    }
}
