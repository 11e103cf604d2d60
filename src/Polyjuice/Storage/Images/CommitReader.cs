using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>What matters of a commit record for folding, without making objects of it.</summary>
internal readonly ref struct CommitReader
{
    /// <param name="record">With its kind, without its length.</param>
    /// <exception cref="CodingException">It ends in the middle of a field.</exception>
    public CommitReader(ReadOnlySpan<byte> record)
    {
        var reader = new ByteReader(record);
        reader.Byte();
        Id = Message.ReadId(ref reader);
        reader.Int();
        Timestamp = reader.Int();
        Message.SkipParts(ref reader);
        Acknowledgers = reader.Count();
        for (var n = Acknowledgers; n > 0; n--) reader.SkipPartition();
        Dependencies = reader.Count();
        for (var n = Dependencies; n > 0; n--)
        {
            Message.ReadId(ref reader);
            reader.SkipPartition();
            reader.Int();
        }
    }

    public TransactionId Id { get; }

    public long Timestamp { get; }

    /// <summary>How many partitions must have acknowledged it before it is forgotten.</summary>
    public int Acknowledgers { get; }

    /// <summary>How many undecided dependencies it names.</summary>
    public int Dependencies { get; }
}
