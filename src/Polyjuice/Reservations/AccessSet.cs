using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>One participant of an access set.</summary>
/// <param name="Key">Which state of which grain.</param>
/// <param name="Partition">Its partition, as this node numbers it.</param>
/// <param name="Node">Where the grain was.</param>
/// <param name="Updates">Whether any access was an update.</param>
/// <param name="Count">How many accesses there were.</param>
internal readonly record struct AccessSetEntry(ParticipantKey Key, int Partition, NodeId Node, bool Updates, int Count);

/// <summary>
/// What a dry run has accessed, in the order of the first access to each
/// participant (as far as it is known: parallel calls report when they end).
/// </summary>
internal sealed class AccessSet
{
    /// <summary>
    /// Participants at the most. A dry run that comes to more is ended there: who uses that much is better off without.
    /// </summary>
    public const int EntriesMax = 1_024;

    private readonly List<AccessSetEntry> _entries = [];
    private readonly Dictionary<(int Partition, ParticipantKey Key), int> _places = [];

    public IReadOnlyList<AccessSetEntry> Entries => _entries;

    public bool IsFull => _entries.Count >= EntriesMax;

    /// <summary>Accesses in all.</summary>
    public int Accesses
    {
        get
        {
            var count = 0;
            foreach (var entry in _entries) count += entry.Count;
            return count;
        }
    }

    /// <summary>One more access.</summary>
    public void Note(ParticipantKey key, int partition, NodeId node, bool updates)
    {
        if (_places.TryGetValue((partition, key), out var place))
        {
            var known = _entries[place];
            _entries[place] = known with { Updates = known.Updates || updates, Count = known.Count + 1 };
            return;
        }

        Add(new AccessSetEntry(key, partition, node, updates, 1));
    }

    /// <summary>
    /// What a report says. It repeats what earlier ones of the same node have said, so counts are not added up.
    /// </summary>
    public void Merge(in AccessSetEntry entry)
    {
        if (_places.TryGetValue((entry.Partition, entry.Key), out var place))
        {
            var known = _entries[place];
            _entries[place] = entry with
            {
                Updates = known.Updates || entry.Updates, Count = Math.Max(known.Count, entry.Count)
            };
            return;
        }

        Add(entry);
    }

    public void Write(ByteWriter writer)
    {
        writer.UInt((ulong)_entries.Count);
        foreach (var entry in _entries)
        {
            writer.Partition(entry.Partition);
            writer.String(entry.Key.Grain);
            writer.String(entry.Key.State);
            writer.String(entry.Key.GrainClass);
            writer.Int(entry.Node.Value);
            writer.Byte(entry.Updates ? (byte)1 : (byte)0);
            writer.Int(entry.Count);
        }
    }

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    public static AccessSetEntry[] Read(ref ByteReader reader)
    {
        var entries = new AccessSetEntry[reader.Count()];
        for (var i = 0; i < entries.Length; i++)
        {
            var partition = reader.Partition();
            var key = new ParticipantKey(reader.Name(), reader.Name(), reader.Name());
            entries[i] = new AccessSetEntry(
                key, partition, new NodeId(reader.Int()), reader.Byte() != 0, (int)reader.Int());
        }

        return entries;
    }

    private void Add(in AccessSetEntry entry)
    {
        if (IsFull) return;
        _places.Add((entry.Partition, entry.Key), _entries.Count);
        _entries.Add(entry);
    }
}
