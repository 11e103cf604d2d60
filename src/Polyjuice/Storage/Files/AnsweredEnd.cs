using System.Buffers.Binary;
using System.Text;

namespace Polyjuice.Storage;

/// <summary>
/// Which segment of a folder took the last append that was answered, and how long it was then, in a file beside the folder: known even if the segment is lost together with what is known of it in the folder. Thread-safe.
/// </summary>
/// <param name="folder">The segments' folder.</param>
internal sealed class AnsweredEnd(string folder) : IDisposable
{
    private readonly Lock _gate = new();
    private readonly AnsweredFile _file = new(PathOf(folder));

    /// <summary>Where it is for a folder.</summary>
    public static string PathOf(string folder) => folder + AnsweredFile.Suffix;

    /// <summary>What a file says: the segment's name within the folder, and the length.</summary>
    public static (string Segment, long Length)? Read(string path)
    {
        var content = AnsweredFile.Read(path);
        return content.Length > sizeof(long) ? (Encoding.UTF8.GetString(content[sizeof(long)..]), BinaryPrimitives.ReadInt64LittleEndian(content)) : null;
    }

    /// <summary>Notes it.</summary>
    /// <param name="segment">The segment's name within the folder, as UTF-8; of the same length each time.</param>
    /// <param name="length">Its length.</param>
    public void Set(ReadOnlySpan<byte> segment, long length)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long) + segment.Length + sizeof(uint)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, length);
        segment.CopyTo(bytes[sizeof(long)..]);
        lock (_gate) _file.Set(bytes);
    }

    /// <summary>A segment was cut on purpose.</summary>
    public void Cut(ReadOnlySpan<byte> segment, long length)
    {
        if (Read(PathOf(folder)) is var (known, answered) && answered > length && segment.SequenceEqual(Encoding.UTF8.GetBytes(known))) Set(segment, length);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate) _file.Dispose();
    }
}
