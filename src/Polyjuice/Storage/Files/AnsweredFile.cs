using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Polyjuice.Storage;

/// <summary>
/// What is known of appends that were answered, in a small file of its own: written after an append was flushed, and not flushed itself. So it may be behind after the machine has died, and is never ahead; whoever finds less
/// in the log knows that a crash did not leave it so.
/// </summary>
/// <param name="path">The file.</param>
internal sealed class AnsweredFile(string path) : IDisposable
{
    /// <summary>What the names of such files end with.</summary>
    public const string Suffix = ".answered";

    private const int ChecksumBytes = 4;
    private const int BytesMax = 1 << 10;
    private SafeFileHandle? _file;
    private bool _isGivenUp;

    /// <summary>What a file says; empty if it says nothing, or nothing that is whole.</summary>
    public static ReadOnlySpan<byte> Read(string path)
    {
        var bytes = new byte[BytesMax];
        int length;
        try
        {
            using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            length = RandomAccess.Read(file, bytes, 0) - ChecksumBytes;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return [];
        }

        // What the machine's death has left of a write says nothing.
        return length > 0 && BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(length)) == Crc32C.Of(bytes.AsSpan(0, length)) ? bytes.AsSpan(0, length) : [];
    }

    /// <summary>Notes something. Where that can't be done, what was noted before stays: it is true as well.</summary>
    /// <param name="content">What to note, of the same length each time; behind it is room for the checksum.</param>
    public void Set(Span<byte> content)
    {
        if (_isGivenUp) return;
        BinaryPrimitives.WriteUInt32LittleEndian(content[^ChecksumBytes..], Crc32C.Of(content[..^ChecksumBytes]));
        try
        {
            _file ??= Open(content.Length);
            RandomAccess.Write(_file, content, 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A full disk, perhaps; the append itself is there.
            _isGivenUp = _file is null;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file?.Dispose();

    private SafeFileHandle Open(int length)
    {
        const FileShare Share = FileShare.ReadWrite | FileShare.Delete;
        if (!File.Exists(path)) OwnerOnly.Open(path, FileMode.OpenOrCreate, Share).Dispose();
        var file = File.OpenHandle(path, FileMode.Open, FileAccess.Write, Share);
        if (RandomAccess.GetLength(file) > length) RandomAccess.SetLength(file, length);
        return file;
    }
}
