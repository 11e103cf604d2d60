using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Polyjuice.Storage;

/// <summary>
/// How long a segment is for certain, in a file beside it: written after an append was flushed, and not flushed itself. So it may be behind after the machine has died, and is never ahead; whoever finds the segment shorter,
/// or damaged before that, knows that a crash did not leave it so.
/// </summary>
/// <param name="segmentPath">The segment's file.</param>
internal sealed class AnsweredLength(string segmentPath) : IDisposable
{
    public const string Suffix = ".answered";
    private const int Bytes = 12;
    private SafeFileHandle? _file;
    private bool _isGivenUp;

    /// <summary>Where it is for a segment's file.</summary>
    public static string PathOf(string segmentPath) => segmentPath + Suffix;

    /// <summary>What is known of a segment; 0 if nothing is.</summary>
    public static long Read(string segmentPath)
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        try
        {
            using var file = File.OpenHandle(PathOf(segmentPath), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            if (RandomAccess.Read(file, bytes, 0) < Bytes) return 0;
        }
        catch (FileNotFoundException)
        {
            return 0;
        }

        // What the machine's death has left of a write says nothing.
        return BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]) == Crc32C.Of(bytes[..8]) ? BinaryPrimitives.ReadInt64LittleEndian(bytes) : 0;
    }

    /// <summary>Notes a length. Where that can't be done, the one noted before stays: it is true as well.</summary>
    public void Set(long length)
    {
        if (_isGivenUp) return;
        Span<byte> bytes = stackalloc byte[Bytes];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, length);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[8..], Crc32C.Of(bytes[..8]));
        try
        {
            _file ??= Open();
            RandomAccess.Write(_file, bytes, 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A full disk, perhaps; the append itself is there.
            _isGivenUp = _file is null;
        }
    }

    private SafeFileHandle Open()
    {
        const FileShare Share = FileShare.ReadWrite | FileShare.Delete;
        if (!File.Exists(PathOf(segmentPath))) OwnerOnly.Open(PathOf(segmentPath), FileMode.OpenOrCreate, Share).Dispose();
        return File.OpenHandle(PathOf(segmentPath), FileMode.Open, FileAccess.Write, Share);
    }

    public void Dispose() => _file?.Dispose();
}
