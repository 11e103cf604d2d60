using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>Goes through a prepare record without making objects of it.</summary>
internal ref struct PrepareReader
{
    private readonly ReadOnlySpan<byte> _record;
    private ByteReader _reader;
    private int _writesLeft;

    /// <param name="record">With its kind, without its length.</param>
    public PrepareReader(ReadOnlySpan<byte> record)
    {
        _record = record;
        _reader = new ByteReader(record);
        _reader.Byte();
        Id = Message.ReadId(ref _reader);
        _reader.Bytes();
        Round = (int)_reader.Int();
        Timestamp = _reader.Int();
        _reader.SkipPartition();
        _reader.Int();
        NamesParts = Message.SkipParts(ref _reader) > 0;
        _writesLeft = _reader.Count();
        HasWrites = _writesLeft > 0;
    }

    public TransactionId Id { get; }

    public int Round { get; }

    public long Timestamp { get; }

    /// <summary>Whether it says who takes part.</summary>
    public bool NamesParts { get; }

    public bool HasWrites { get; }

    /// <summary>How many bytes have not been read yet.</summary>
    public readonly int Left => _reader.Left;

    /// <summary>The next write, in turn.</summary>
    /// <returns>False when there is none left; then come the dependencies.</returns>
    public bool TryReadWrite(out WriteView write)
    {
        write = default;
        if (_writesLeft == 0) return false;
        _writesLeft--;
        var key = KeyOrder.Read(ref _reader, _record);
        var (id, below) = (LogRecords.ReadVersionId(ref _reader), LogRecords.ReadVersionId(ref _reader));
        write = new WriteView(key, id, below, LogRecords.SkipEncoded(ref _reader, _record));
        return true;
    }

    /// <summary>The transactions that it depends on, for whoever wants to know. After all writes.</summary>
    public void AddDependencies(HashSet<TransactionId>? ids)
    {
        for (var n = _reader.Count(); n > 0; n--)
        {
            var id = Message.ReadId(ref _reader);
            ids?.Add(id);
            _reader.Int();
        }
    }

    /// <summary>Reads to the end.</summary>
    /// <exception cref="CodingException">It ends in the middle of a field.</exception>
    public void Validate()
    {
        while (TryReadWrite(out _))
        {
        }

        AddDependencies(null);
    }
}

/// <summary>A written version in a prepare record.</summary>
/// <param name="key">The participant's name as it is there.</param>
/// <param name="id">The version.</param>
/// <param name="below">What it was built on.</param>
/// <param name="state">Its codec and its state as they are there.</param>
internal readonly ref struct WriteView(ReadOnlySpan<byte> key, VersionId id, VersionId below, ReadOnlySpan<byte> state)
{
    public ReadOnlySpan<byte> Key { get; } = key;

    public VersionId Id { get; } = id;

    public VersionId Base { get; } = below;

    public ReadOnlySpan<byte> State { get; } = state;
}
