using System.Collections;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>Commit records. They are bytes in an arena; who asks for one gets it read.</summary>
internal sealed class CommitTable(PartitionNames names) : IReadOnlyCollection<RecoveredCommit>
{
    private readonly Dictionary<TransactionId, Entry> _entries = [];

    /// <summary>Where the records are.</summary>
    public required ByteArena Records { get; set; }

    /// <inheritdoc/>
    public int Count => _entries.Count;

    /// <summary>Whose they are.</summary>
    public Dictionary<TransactionId, Entry>.KeyCollection Ids => _entries.Keys;

    /// <summary>A transaction's record, as its fields.</summary>
    /// <exception cref="KeyNotFoundException">It has none.</exception>
    public RecoveredCommit this[TransactionId id] =>
        Find(id) ?? throw new KeyNotFoundException($"{id} has no commit record.");

    /// <summary>Whether a transaction has a record.</summary>
    public bool Contains(TransactionId id) => _entries.ContainsKey(id);

    /// <summary>Whether a transaction has a record, and what matters of it for folding.</summary>
    public bool TryGet(TransactionId id, out Entry entry) => _entries.TryGetValue(id, out entry);

    /// <summary>A transaction's record, or <see langword="null"/>.</summary>
    public RecoveredCommit? Find(TransactionId id) =>
        _entries.TryGetValue(id, out var entry) ? Read(Records[entry.Record]) : null;

    /// <summary>The bytes of a transaction's record.</summary>
    public ReadOnlySpan<byte> RecordOf(TransactionId id) => Records[_entries[id].Record];

    /// <summary>The timestamp of a transaction's record.</summary>
    public long TimestampOf(TransactionId id) => new CommitReader(RecordOf(id)).Timestamp;

    /// <summary>Adds one; of the same transaction, the last one counts.</summary>
    public void Add(ReadOnlySpan<byte> record)
    {
        var reader = new CommitReader(record);
        _entries[reader.Id] = new Entry(Records.Add(record), reader.Acknowledgers > 0, reader.Dependencies > 0);
    }

    /// <summary>Takes one out.</summary>
    public void Remove(TransactionId id) => _entries.Remove(id);

    /// <summary>How many bytes of records are in use.</summary>
    public long Bytes()
    {
        var bytes = 0L;
        foreach (var entry in _entries.Values) bytes += entry.Record.Length;
        return bytes;
    }

    /// <summary>Copies the records to another arena, where they are from then on.</summary>
    public void MoveTo(ByteArena records)
    {
        foreach (var (id, entry) in _entries) _entries[id] = entry with { Record = records.Add(Records[entry.Record]) };
        Records = records;
    }

    /// <inheritdoc/>
    public IEnumerator<RecoveredCommit> GetEnumerator()
    {
        foreach (var entry in _entries.Values) yield return Read(Records[entry.Record]);
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private RecoveredCommit Read(ReadOnlySpan<byte> record)
    {
        var reader = new ByteReader(record, names);
        reader.Byte();
        return RecoveredCommit.Read(ref reader);
    }

    /// <summary>What matters of a record for folding.</summary>
    /// <param name="Record">All of it.</param>
    /// <param name="MustBeAcknowledged">
    /// Whether other partitions must have acknowledged it before it is forgotten (V6).
    /// </param>
    /// <param name="HasDependencies">Whether it names dependencies that were undecided (V5).</param>
    public readonly record struct Entry(ArenaSlice Record, bool MustBeAcknowledged, bool HasDependencies);
}
