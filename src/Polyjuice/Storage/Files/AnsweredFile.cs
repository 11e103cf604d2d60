using System.Buffers.Binary;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Polyjuice.Storage;

/// <summary>
/// How long a segment is for certain, in a small file beside the segment; or, beside a folder of segments, which of
/// them took the last append that was answered, and how long it was then. Written after an append was flushed, and not
/// flushed itself. So it may be behind after the machine has died, and is never ahead; whoever finds less in the log
/// knows that a crash did not leave it so. Thread-safe.
/// </summary>
/// <param name="of">The segment's file, or the folder.</param>
internal sealed class AnsweredFile(string of) : IDisposable
{
    /// <summary>What the names of such files end with, behind the name of what they are about.</summary>
    public const string Suffix = ".answered";

    private const int BytesMax = 1 << 10;
    private const FileShare Share = FileShare.ReadWrite | FileShare.Delete;
    private readonly Lock _gate = new();
    private SafeFileHandle? _file;
    private bool _isGivenUp;

    /// <summary>What is known.</summary>
    /// <param name="of">The segment's file, or the folder.</param>
    /// <returns>
    /// The segment's name within the folder, empty beside a segment; and the length. Nothing if nothing is known.
    /// </returns>
    public static (string Segment, long Length)? Read(string of)
    {
        Span<byte> bytes = stackalloc byte[BytesMax];
        int content;
        try
        {
            using var file = File.OpenHandle(of + Suffix, FileMode.Open, FileAccess.Read, Share);
            content = RandomAccess.Read(file, bytes, 0) - sizeof(uint);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }

        // What the machine's death has left of a write says nothing.
        if (content < sizeof(long)) return null;
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes[content..]) != Crc32C.Of(bytes[..content])) return null;
        return (Encoding.UTF8.GetString(bytes[sizeof(long)..content]), BinaryPrimitives.ReadInt64LittleEndian(bytes));
    }

    /// <summary>Notes a length. Where that can't be done, what was noted before stays: it is true as well.</summary>
    /// <param name="segment">
    /// The segment's name within the folder, as UTF-8, of the same length each time; empty beside a segment.
    /// </param>
    /// <param name="length">Its length.</param>
    public void Set(ReadOnlySpan<byte> segment, long length)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long) + segment.Length + sizeof(uint)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, length);
        segment.CopyTo(bytes[sizeof(long)..]);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[^sizeof(uint)..], Crc32C.Of(bytes[..^sizeof(uint)]));
        lock (_gate)
        {
            if (_isGivenUp) return;
            try
            {
                _file ??= Open(bytes.Length);
                RandomAccess.Write(_file, bytes, 0);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // A full disk, perhaps; the append itself is there.
                _isGivenUp = _file is null;
            }
        }
    }

    /// <summary>A segment was cut on purpose.</summary>
    /// <param name="segment">As for <see cref="Set"/>.</param>
    /// <param name="length">To what length.</param>
    public void Cut(ReadOnlySpan<byte> segment, long length)
    {
        if (Read(of) is not var (known, answered) || answered <= length) return;
        if (segment.SequenceEqual(Encoding.UTF8.GetBytes(known))) Set(segment, length);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate) _file?.Dispose();
    }

    private SafeFileHandle Open(int length)
    {
        if (!File.Exists(of + Suffix)) OwnerOnly.Open(of + Suffix, FileMode.OpenOrCreate, Share).Dispose();
        var file = File.OpenHandle(of + Suffix, FileMode.Open, FileAccess.Write, Share);
        if (RandomAccess.GetLength(file) > length) RandomAccess.SetLength(file, length);
        return file;
    }
}
