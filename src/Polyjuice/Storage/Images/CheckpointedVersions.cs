using System.Buffers.Binary;
using System.Security.Cryptography;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// Which version of each participant a checkpoint holds, without the states. Participants are known by 128 bits of a
/// cryptographic hash of their names, so that an entry has no objects that the garbage collector would look at, and
/// takes about 60 bytes.
/// </summary>
internal sealed class CheckpointedVersions
{
    private readonly Dictionary<UInt128, VersionId> _versions = [];

    /// <summary>Participants in the checkpoint.</summary>
    public int Count => _versions.Count;

    /// <summary>Adds a checkpoint's state record.</summary>
    public void Add(ReadOnlySpan<byte> record)
    {
        var reader = new ByteReader(record);
        reader.Byte();
        var key = KeyOrder.Read(ref reader, record);
        _versions.Add(HashOf(key), LogRecords.ReadVersionId(ref reader));
    }

    /// <summary>A participant's version, if the checkpoint has one.</summary>
    /// <param name="key">Its name, as <see cref="LogRecords.WriteKey"/> wrote it.</param>
    public VersionId? Find(ReadOnlySpan<byte> key) =>
        _versions.TryGetValue(HashOf(key), out var version) ? version : null;

    private static UInt128 HashOf(ReadOnlySpan<byte> key)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(key, hash);
        return BinaryPrimitives.ReadUInt128LittleEndian(hash);
    }
}
