using System.Buffers.Binary;

namespace Polyjuice.Storage;

/// <summary>How long a segment is for certain, in a file beside it.</summary>
/// <param name="segmentPath">The segment's file.</param>
internal sealed class AnsweredLength(string segmentPath) : IDisposable
{
    private readonly AnsweredFile _file = new(PathOf(segmentPath));

    /// <summary>Where it is for a segment's file.</summary>
    public static string PathOf(string segmentPath) => segmentPath + AnsweredFile.Suffix;

    /// <summary>What is known of a segment; 0 if nothing is.</summary>
    public static long Read(string segmentPath)
    {
        var content = AnsweredFile.Read(PathOf(segmentPath));
        return content.Length == sizeof(long) ? BinaryPrimitives.ReadInt64LittleEndian(content) : 0;
    }

    /// <summary>Notes a length.</summary>
    public void Set(long length)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long) + sizeof(uint)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, length);
        _file.Set(bytes);
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
