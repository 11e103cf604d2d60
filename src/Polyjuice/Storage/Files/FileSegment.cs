using Microsoft.Win32.SafeHandles;

namespace Polyjuice.Storage;

/// <summary>
/// A segment's file. Its length here is what is durable; what a failed write may have left behind that is not shown, and is cut before anything is written there again, because after a
/// failed flush nobody can say what the disk has.
/// </summary>
internal sealed class FileSegment : IDisposable
{
    private readonly Lock _gate = new();
    private readonly SafeFileHandle _file;
    private readonly string _path;
    private readonly bool _flush;
    private long _length;
    private bool _isSuspect;

    public FileSegment(string path, bool flush)
    {
        _path = path;
        _flush = flush;
        _file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

        // What an earlier process wrote may be in the system's memory only, and will be taken for durable from here on.
        if (flush) RandomAccess.FlushToDisk(_file);
        _length = RandomAccess.GetLength(_file);
    }

    public long Length => Volatile.Read(ref _length);

    public DeviceAppendResult Append(long offset, ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            if (offset != _length) return DeviceAppendResult.Conflict;
            if (_isSuspect) RandomAccess.SetLength(_file, _length);
            _isSuspect = true;
            RandomAccess.Write(_file, bytes, offset);
            if (_flush) RandomAccess.FlushToDisk(_file);
            _isSuspect = false;
            Volatile.Write(ref _length, offset + bytes.Length);
            return DeviceAppendResult.Appended;
        }
    }

    public int Read(long offset, Span<byte> buffer)
    {
        var length = Length;
        if (offset >= length) return 0;
        var wanted = buffer[..(int)Math.Min(buffer.Length, length - offset)];
        var read = 0;
        while (read < wanted.Length)
        {
            var some = RandomAccess.Read(_file, wanted[read..], offset + read);
            if (some == 0) throw new IOException($"{_path} has become shorter: it was changed from outside.");
            read += some;
        }

        return read;
    }

    public void Truncate(long length)
    {
        lock (_gate)
        {
            RandomAccess.SetLength(_file, length);
            if (_flush) RandomAccess.FlushToDisk(_file);
            Volatile.Write(ref _length, length);
        }
    }

    public void Dispose() => _file.Dispose();
}
