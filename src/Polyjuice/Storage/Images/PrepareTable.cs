using System.Collections;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// Prepare records in the order in which they were logged. The
/// records are bytes in an arena; who asks for one gets it read.
/// </summary>
internal sealed class PrepareTable(PartitionNames names) : IReadOnlyCollection<RecoveredPrepare>
{
    private readonly Dictionary<TransactionId, int> _numbers = [];
    private Entry[] _entries = new Entry[4];
    private int _last = -1;
    private int _free = -1;
    private int _used;

    /// <summary>Where the records are.</summary>
    public required ByteArena Records { get; set; }

    /// <inheritdoc/>
    public int Count => _numbers.Count;

    /// <summary>The number of the one that was logged first, or -1.</summary>
    public int First { get; private set; } = -1;

    /// <summary>The number of the one that was logged next, or -1.</summary>
    public int Next(int prepare) => _entries[prepare].Next;

    /// <summary>A record.</summary>
    public ReadOnlySpan<byte> this[int prepare] => Records[_entries[prepare].Record];

    /// <summary>The transaction of one.</summary>
    public TransactionId IdOf(int prepare) => _entries[prepare].Id;

    /// <summary>The round of one.</summary>
    public int RoundOf(int prepare) => _entries[prepare].RoundAndWrites >> 1;

    /// <summary>Whether one has written anything.</summary>
    public bool HasWrites(int prepare) => (_entries[prepare].RoundAndWrites & 1) != 0;

    /// <summary>Whether a transaction has a prepare.</summary>
    public bool Contains(TransactionId id) => _numbers.ContainsKey(id);

    /// <summary>The number of a transaction's prepare, or -1.</summary>
    public int NumberOf(TransactionId id) => _numbers.TryGetValue(id, out var prepare) ? prepare : -1;

    /// <summary>
    /// Adds one behind all others. A later round replaces the earlier one, at its own place in the order (R2).
    /// </summary>
    /// <param name="reader">Has read what the record begins with.</param>
    /// <param name="record">The record.</param>
    public void Add(in PrepareReader reader, ReadOnlySpan<byte> record)
    {
        var id = reader.Id;
        if (_numbers.TryGetValue(id, out var earlier)) Remove(earlier);
        var prepare = _free;
        if (prepare >= 0) _free = _entries[prepare].Next;
        else prepare = _used++;
        if (prepare == _entries.Length) Array.Resize(ref _entries, _entries.Length * 2);
        _entries[prepare] = new Entry
        {
            Id = id,
            RoundAndWrites = (reader.Round << 1) | (reader.HasWrites ? 1 : 0),
            Record = Records.Add(record),
            Previous = _last,
            Next = -1
        };
        if (_last >= 0) _entries[_last].Next = prepare;
        else First = prepare;
        _last = prepare;
        _numbers.Add(id, prepare);
    }

    /// <summary>Puts another record in one's place.</summary>
    public void Replace(int prepare, ReadOnlySpan<byte> record) => _entries[prepare].Record = Records.Add(record);

    /// <summary>Takes one out.</summary>
    public void Remove(int prepare)
    {
        ref var entry = ref _entries[prepare];
        if (entry.Previous >= 0) _entries[entry.Previous].Next = entry.Next;
        else First = entry.Next;
        if (entry.Next >= 0) _entries[entry.Next].Previous = entry.Previous;
        else _last = entry.Previous;
        _numbers.Remove(entry.Id);
        entry.Next = _free;
        _free = prepare;
    }

    /// <summary>How many bytes of records are in use.</summary>
    public long Bytes()
    {
        var bytes = 0L;
        for (var prepare = First; prepare >= 0; prepare = Next(prepare)) bytes += _entries[prepare].Record.Length;
        return bytes;
    }

    /// <summary>Copies the records to another arena, where they are from then on.</summary>
    public void MoveTo(ByteArena records)
    {
        for (var prepare = First; prepare >= 0; prepare = Next(prepare))
            _entries[prepare].Record = records.Add(this[prepare]);
        Records = records;
    }

    /// <summary>One as its fields.</summary>
    public RecoveredPrepare Read(int prepare)
    {
        var reader = new ByteReader(this[prepare], names);
        return RecoveredPrepare.Read(ref reader, (LogRecordKind)reader.Byte());
    }

    /// <inheritdoc/>
    public IEnumerator<RecoveredPrepare> GetEnumerator()
    {
        for (var prepare = First; prepare >= 0; prepare = Next(prepare)) yield return Read(prepare);
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private struct Entry
    {
        public TransactionId Id;

        // In one, because there is an entry for each transaction of a log's
        // tail, and one more field would make all of them larger by eight bytes.
        public int RoundAndWrites;
        public ArenaSlice Record;
        public int Previous;

        // In the order; of what is free, the next that is.
        public int Next;
    }
}
