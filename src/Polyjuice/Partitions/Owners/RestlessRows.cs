using System.Runtime.InteropServices;

namespace Polyjuice.Partitions;

/// <summary>
/// The rows of a node that want housekeeping. They are many, and remember for long, so each tick looks after one in
/// sixteen; and at one where all is decided, and only confirms or a store are waited for, it looks in every eighth of
/// its turns, unless something happens there. In between, nothing of that row is touched: to thousands of them, what a
/// look costs is what the processor's caches do not hold.
/// </summary>
/// <remarks>On the engine's turn.</remarks>
internal sealed class RestlessRows
{
    private const int Slices = 16;
    private const int CalmTurns = 7;

    private readonly List<Entry>[] _slices = [.. Enumerable.Range(0, Slices).Select(_ => new List<Entry>())];
    private int _ticks;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Looks after a row in its next turn.</summary>
    public void Add(PartitionOwner row)
    {
        var slice = SliceOf(row);
        if (row.RestlessAt >= 0)
        {
            CollectionsMarshal.AsSpan(slice)[row.RestlessAt].TurnsOff = 0;
            return;
        }

        row.RestlessAt = slice.Count;
        slice.Add(new Entry { Row = row });
        Count++;
    }

    /// <summary>Looks after a row no more; nothing if it does not anyway.</summary>
    public void Remove(PartitionOwner row)
    {
        var at = row.RestlessAt;
        if (at < 0) return;
        var slice = SliceOf(row);
        slice[at] = slice[^1];
        slice[at].Row.RestlessAt = at;
        slice.RemoveAt(slice.Count - 1);
        row.RestlessAt = -1;
        Count--;
    }

    /// <summary>Housekeeping of those whose turn it is.</summary>
    /// <param name="now">On the host's clock.</param>
    public void Tick(long now)
    {
        var slice = _slices[++_ticks & (Slices - 1)];
        for (var i = slice.Count - 1; i >= 0; i--)
        {
            // One may be deposed by what another says.
            if (i >= slice.Count) continue;
            ref var entry = ref CollectionsMarshal.AsSpan(slice)[i];
            if (entry.TurnsOff > 0)
            {
                entry.TurnsOff--;
                continue;
            }

            var row = entry.Row;
            var isCalm = row.Tick(now);
            if (!row.IsActive || !row.HasUnfinished) Remove(row);
            else if (isCalm && row.RestlessAt is >= 0 and var at)
                CollectionsMarshal.AsSpan(slice)[at].TurnsOff = CalmTurns;
        }
    }

    private List<Entry> SliceOf(PartitionOwner row) => _slices[row.Partition & (Slices - 1)];

    private struct Entry
    {
        public PartitionOwner Row;

        // Turns that it still sits out.
        public int TurnsOff;
    }
}
