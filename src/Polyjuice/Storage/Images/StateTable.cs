using System.Buffers.Binary;
using System.Collections;
using System.Runtime.CompilerServices;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// The latest committed version of each participant that records name. Participants have numbers here; names and states
/// are bytes as they are in the log, in a few arrays: tens of thousands of objects that live as long as a checkpoint
/// takes to make are what a garbage collection would take its time for.
/// </summary>
internal sealed class StateTable : IReadOnlyCollection<KeyValuePair<ParticipantKey, CommittedState>>
{
    // Garbage is left where it is until there is so much of it.
    private const int WasteBytesMin = 4 << 10;

    private readonly ByteWriter _key = new(capacity: 64);
    private ByteArena _bytes = new();
    private ByteArena _spare = new();
    private int[] _buckets = new int[4];
    private Entry[] _entries = new Entry[4];
    private int _used;
    private int _chain;
    private long _waste;

    /// <summary>Participants that have a committed version.</summary>
    public int Count { get; private set; }

    /// <summary>About what it takes in memory, in bytes.</summary>
    public long Bytes => _bytes.Length + ((long)_used * (Unsafe.SizeOf<Entry>() + sizeof(int)));

    /// <summary>Those participants.</summary>
    public IEnumerable<ParticipantKey> Keys => this.Select(state => state.Key);

    /// <summary>A participant's committed version.</summary>
    /// <exception cref="KeyNotFoundException">It has none.</exception>
    public CommittedState this[ParticipantKey key] =>
        Find(key) ?? throw new KeyNotFoundException($"{key.Grain}.{key.State} has no committed version.");

    /// <summary>A participant's committed version, or <see langword="null"/>.</summary>
    public CommittedState? Find(ParticipantKey key)
    {
        _key.Clear();
        LogRecords.WriteKey(_key, key);
        return Find(_key.Written, Hash(_key.Written)) is >= 0 and var index && _entries[index].HasState
            ? StateOf(index)
            : null;
    }

    /// <summary>The number of a participant.</summary>
    /// <param name="key">Its name, as <see cref="LogRecords.WriteKey"/> wrote it.</param>
    public int NumberOf(ReadOnlySpan<byte> key)
    {
        var hash = Hash(key);
        if (Find(key, hash) is >= 0 and var known) return known;
        if (_used == _entries.Length) Grow();
        ref var bucket = ref _buckets[hash & (uint)(_buckets.Length - 1)];
        _entries[_used] = new Entry { Hash = hash, Next = bucket - 1, Key = _bytes.Add(key) };
        bucket = ++_used;
        return _used - 1;
    }

    /// <summary>A participant's name.</summary>
    public ReadOnlySpan<byte> KeyOf(int participant) => _bytes[_entries[participant].Key];

    /// <summary>The version that is committed, if there is one.</summary>
    public VersionId? VersionOf(int participant) =>
        _entries[participant].HasState ? _entries[participant].Version : null;

    /// <summary>Has a participant a new committed version.</summary>
    /// <param name="participant">Which.</param>
    /// <param name="version">The version.</param>
    /// <param name="timestamp">Its timestamp.</param>
    /// <param name="state">Its codec and its state, as records have them.</param>
    public void Set(int participant, VersionId version, long timestamp, ReadOnlySpan<byte> state)
    {
        ref var entry = ref _entries[participant];
        if (!entry.HasState) Count++;
        entry.HasState = true;
        entry.Version = version;
        entry.Timestamp = timestamp;
        if (entry.Capacity >= state.Length)
        {
            entry.State = entry.State with { Length = state.Length };
            state.CopyTo(_bytes[entry.State]);
            return;
        }

        _waste += entry.Capacity;
        entry.State = _bytes.Add(state);
        entry.Capacity = state.Length;
        if (_waste > Math.Max(WasteBytesMin, _bytes.Length / 2)) Tidy();
    }

    /// <summary>Lets go of encoded states, which are elsewhere by now.</summary>
    public void DropStates()
    {
        for (var i = 0; i < _used; i++)
        {
            ref var entry = ref _entries[i];
            if (!entry.HasState) continue;
            var state = _bytes[entry.State];
            var reader = new ByteReader(state);
            reader.Bytes();
            var length = state.Length - reader.Left;
            state.Slice(length, sizeof(int)).Clear();
            entry.State = entry.State with { Length = length + sizeof(int) };
        }
    }

    /// <summary>Writes a participant's record.</summary>
    public void Write(int participant, ByteWriter piece)
    {
        ref var entry = ref _entries[participant];
        LogRecords.WriteState(piece, _bytes[entry.Key], entry.Version, entry.Timestamp, _bytes[entry.State]);
    }

    /// <summary>The participants with a committed version, in a checkpoint's order.</summary>
    public int[] Sorted()
    {
        var sorted = new int[Count];
        var count = 0;
        for (var i = 0; i < _used; i++)
        {
            if (_entries[i].HasState) sorted[count++] = i;
        }

        Array.Sort(sorted, (a, b) => KeyOrder.Compare(KeyOf(a), KeyOf(b)));
        return sorted;
    }

    /// <summary>From here on no participant has anything on top of its committed version.</summary>
    public void BeginChains() => _chain++;

    /// <summary>What is on top of a participant's committed version.</summary>
    public VersionId? TopOf(int participant) =>
        _entries[participant].Chain == _chain ? _entries[participant].Top : null;

    /// <summary>Puts something on top.</summary>
    public void SetTop(int participant, VersionId version)
    {
        ref var entry = ref _entries[participant];
        entry.Chain = _chain;
        entry.Top = version;
    }

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<ParticipantKey, CommittedState>> GetEnumerator()
    {
        for (var i = 0; i < _used; i++)
        {
            if (_entries[i].HasState) yield return new(ReadKey(i), StateOf(i));
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    // Multiply and fold, eight bytes at a time; nothing outside of this process depends on it.
    private static uint Hash(ReadOnlySpan<byte> key)
    {
        var hash = (ulong)key.Length;
        while (key.Length >= sizeof(ulong))
        {
            hash = Mix(hash ^ BinaryPrimitives.ReadUInt64LittleEndian(key));
            key = key[sizeof(ulong)..];
        }

        var rest = 0UL;
        foreach (var one in key) rest = (rest << 8) | one;
        hash = Mix(hash ^ rest);
        return (uint)(hash >> 32);
    }

    private static ulong Mix(ulong value)
    {
        value *= 0x9E3779B97F4A7C15UL;
        return value ^ (value >> 32);
    }

    private int Find(ReadOnlySpan<byte> key, uint hash)
    {
        for (var i = _buckets[hash & (uint)(_buckets.Length - 1)] - 1; i >= 0; i = _entries[i].Next)
        {
            if (_entries[i].Hash == hash && KeyOf(i).SequenceEqual(key)) return i;
        }

        return -1;
    }

    private ParticipantKey ReadKey(int participant)
    {
        var reader = new ByteReader(KeyOf(participant));
        return LogRecords.ReadKey(ref reader);
    }

    private CommittedState StateOf(int participant)
    {
        ref var entry = ref _entries[participant];
        var reader = new ByteReader(_bytes[entry.State]);
        return new CommittedState(entry.Version, entry.Timestamp, reader.Name(), reader.LengthPrefixed().ToArray());
    }

    private void Grow()
    {
        Array.Resize(ref _entries, _entries.Length * 2);
        _buckets = new int[_entries.Length];
        for (var i = 0; i < _used; i++)
        {
            ref var bucket = ref _buckets[_entries[i].Hash & (uint)(_buckets.Length - 1)];
            _entries[i].Next = bucket - 1;
            bucket = i + 1;
        }
    }

    private void Tidy()
    {
        _spare.Clear();
        for (var i = 0; i < _used; i++)
        {
            ref var entry = ref _entries[i];
            entry.Key = _spare.Add(_bytes[entry.Key]);
            if (!entry.HasState) continue;
            entry.State = _spare.Add(_bytes[entry.State]);
            entry.Capacity = entry.State.Length;
        }

        (_bytes, _spare) = (_spare, _bytes);
        _waste = 0;
    }

    private struct Entry
    {
        public uint Hash;

        // The next one in the same bucket, or -1.
        public int Next;
        public ArenaSlice Key;
        public ArenaSlice State;
        public int Capacity;
        public bool HasState;
        public VersionId Version;
        public long Timestamp;

        // Which chains the top belongs to.
        public int Chain;
        public VersionId Top;
    }
}
