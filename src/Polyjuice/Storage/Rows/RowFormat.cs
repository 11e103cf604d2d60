using System.Buffers.Binary;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>What the key of a commit record in a row says.</summary>
internal enum RowTag : byte
{
    /// <summary>
    /// A transaction that committed; or, with a prepare as its only participant, one that read what was undecided (V1).
    /// </summary>
    Transaction = 0,

    /// <summary>
    /// A transaction that has committed here, and about which somebody may still ask (V5, V6). With the largest number
    /// that there is, which none has, it says of its node that it is dead.
    /// </summary>
    Outcome = 1,

    /// <summary>The row's position, and the timestamp of its committed state.</summary>
    Head = 2,

    /// <summary>Which batch was written last (L3).</summary>
    Batch = 3,
}

/// <summary>
/// How the engine's records fit into the fields that a row has. Identities become GUIDs of version 8 (RFC 9562:
/// "custom"), so that those of another engine, which are random ones of version 4, are told apart. Names of
/// participants carry what has no field of its own.
/// </summary>
internal static class RowFormat
{
    /// <summary>What the name of a participant begins with that is none.</summary>
    public const string Prefix = "polyjuice/";

    private const int Version = 1;

    /// <summary>
    /// Of a prepare that does not name who takes part. A version that does not know it would decide without them.
    /// </summary>
    private const int VersionWithoutParts = 2;

    private const int Bits = 60;
    private const ulong Mask = (1UL << Bits) - 1;
    private const long MicrosecondsMax = (1L << (63 - HybridClock.LogicalBits)) - 1;

    public static Guid Pack(RowTag tag, long high, long low)
    {
        if ((ulong)high > Mask || (ulong)low > Mask)
            throw new InvariantException(
                $"{tag} {high} {low} does not fit into a row: node and transaction numbers are below 2^{Bits} there.");
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, ((ulong)high >> 12 << 16) | 0x8000 | ((ulong)high & 0xFFF));
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], (0b10UL << 62) | ((ulong)tag << Bits) | (ulong)low);
        return new Guid(bytes, bigEndian: true);
    }

    /// <summary>False for a GUID that another engine made.</summary>
    public static bool TryUnpack(Guid guid, out RowTag tag, out long high, out long low)
    {
        var (first, second) = Halves(guid);
        tag = (RowTag)((second >> Bits) & 3);
        high = (long)((first >> 16 << 12) | (first & 0xFFF));
        low = (long)(second & Mask);
        return (first & 0xF000) == 0x8000 && second >> 62 == 0b10;
    }

    public static Guid Pack(RowTag tag, TransactionId id) => Pack(tag, id.Node.Value, id.Sequence);

    /// <summary>That a node is dead.</summary>
    public static Guid PackDeath(NodeId node) => Pack(RowTag.Outcome, node.Value, (long)Mask);

    /// <summary>Whether that is what an outcome says.</summary>
    public static bool IsDeath(TransactionId id) => id.Sequence == (long)Mask;

    public static Guid PackHead(long position, long timestamp) =>
        Pack(RowTag.Head, (position << 4) | (long)((ulong)timestamp >> Bits), (long)((ulong)timestamp & Mask));

    public static (long Position, long Timestamp) UnpackHead(long high, long low) =>
        (high >> 4, (long)((ulong)(high & 0xF) << Bits) | low);

    /// <summary>
    /// The transaction of a GUID: another engine's belongs to a node of its own below zero, which is gone.
    /// </summary>
    public static TransactionId IdOf(Guid guid)
    {
        if (TryUnpack(guid, out _, out var high, out var low)) return new(new NodeId(high), low);
        var (first, second) = Halves(guid);
        return new(new NodeId((long)(first | (1UL << 63))), (long)((second & ((1UL << 62) - 1)) | (first >> 63 << 62)));
    }

    /// <summary>A timestamp as rows have it: the first tick that is not before it.</summary>
    public static DateTime TimeOf(long timestamp)
    {
        var logical = timestamp & ((1L << HybridClock.LogicalBits) - 1);
        return DateTime.UnixEpoch.AddTicks(
            ((timestamp >> HybridClock.LogicalBits) * TimeSpan.TicksPerMicrosecond)
                + (((logical * TimeSpan.TicksPerMicrosecond)
                    + (1 << HybridClock.LogicalBits) - 1) >> HybridClock.LogicalBits));
    }

    /// <summary>
    /// The reverse: the last timestamp that has this tick, so never below what <see cref="TimeOf"/> was given.
    /// </summary>
    public static long TimestampOf(DateTime time)
    {
        var ticks = (time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time).Ticks - DateTime.UnixEpoch.Ticks;
        if (ticks <= 0) return 0;
        var (microseconds, rest) = Math.DivRem(ticks, TimeSpan.TicksPerMicrosecond);
        return (Math.Min(microseconds, MicrosecondsMax) << HybridClock.LogicalBits)
            + ((rest << HybridClock.LogicalBits) / TimeSpan.TicksPerMicrosecond);
    }

    /// <summary>A record as the name of a participant.</summary>
    /// <param name="position">At which it was written.</param>
    /// <param name="record">The record, as a batch.</param>
    /// <param name="namesParts">Whether it says who takes part.</param>
    public static string Annotate(long position, ByteWriter record, bool namesParts = true) =>
        $"{Prefix}{(namesParts ? Version : VersionWithoutParts)} {position:x} {Convert.ToBase64String(record.Written)}";

    /// <summary>The reverse. False for the name of a participant.</summary>
    /// <exception cref="LogVersionException">A newer version of Polyjuice wrote it.</exception>
    public static bool TryReadAnnotation(string name, out long position, out byte[] record)
    {
        (position, record) = (0, []);
        if (!name.StartsWith(Prefix, StringComparison.Ordinal)) return false;
        var parts = name[Prefix.Length..].Split(' ');
        if (!byte.TryParse(parts[0], out var version) || version is < Version or > VersionWithoutParts)
            throw new LogVersionException("A row", version == 0 ? byte.MaxValue : version, VersionWithoutParts);
        if (parts.Length != 3
            || !long.TryParse(parts[1], System.Globalization.NumberStyles.HexNumber, null, out position))
            throw new CodingException($"A row names a participant '{name}', which this version does not understand.");
        record = Convert.FromBase64String(parts[2]);
        return true;
    }

    private static (ulong First, ulong Second) Halves(Guid guid)
    {
        Span<byte> bytes = stackalloc byte[16];
        guid.TryWriteBytes(bytes, bigEndian: true, out _);
        return (BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]));
    }
}
