using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Polyjuice.Storage;

/// <summary>
/// A segment's file. Its length here is what is durable; what a failed write may have left behind that is not shown,
/// and is cut before anything is written there again, because after a failed flush nobody can say what the disk has.
/// </summary>
/// <remarks>
/// Behind what was appended the file holds zeros, written ahead: a flush then finds blocks that are there already, and
/// has to make no change of the file system durable beside the data, which takes it about half the time (ext4, xfs).
/// They go when the file is closed; what a process that died has left of them the log recognises and cuts.
/// </remarks>
internal sealed class FileSegment : IDisposable
{
    /// <summary>
    /// The least room that is made at a time. A short segment gets
    /// as much as it is long, so that small logs stay small.
    /// </summary>
    private const int RoomBytesMin = 64 << 10;

    private static readonly byte[] s_zeros = new byte[RoomBytesMin];

    private readonly Lock _gate = new();
    private readonly SafeFileHandle _file;
    private readonly string _path;
    private readonly byte[] _name;
    private readonly bool _flush;
    private readonly long _roomBytes;
    private readonly AnsweredFile _answered;
    private readonly AnsweredFile? _answeredInFolder;
    private long _length;
    private long _written;
    private bool _isSuspect;

    /// <summary>Opens it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="flush">Whether to flush what is appended.</param>
    /// <param name="roomBytes">The most zeros that are written ahead at a time; 0 writes none.</param>
    /// <param name="answeredInFolder">
    /// What is known of the segments of its folder; <see langword="null"/> where nothing is.
    /// </param>
    public FileSegment(string path, bool flush, long roomBytes, AnsweredFile? answeredInFolder)
    {
        _path = path;
        _name = Encoding.UTF8.GetBytes(Path.GetFileName(path));
        _flush = flush;
        _roomBytes = roomBytes;
        _answered = new AnsweredFile(path);
        _answeredInFolder = answeredInFolder;
        _file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

        // What an earlier process wrote may be in the system's memory only, and will be taken for durable from here on.
        if (flush) RandomAccess.FlushToDisk(_file);
        _length = _written = RandomAccess.GetLength(_file);
    }

    public long Length => Volatile.Read(ref _length);

    public DeviceAppendResult Append(long offset, ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            if (offset != _length) return DeviceAppendResult.Conflict;
            if (_isSuspect) Cut();
            _isSuspect = true;
            RandomAccess.Write(_file, bytes, offset);
            var end = offset + bytes.Length;
            if (end > _written)
            {
                _written = end;
                if (_roomBytes > 0) MakeRoom(end);
            }

            if (_flush) FileSync.Data(_file);
            _isSuspect = false;
            Volatile.Write(ref _length, end);

            // Not of what was never flushed: it might outlast that.
            if (_flush)
            {
                _answered.Set([], end);
                _answeredInFolder?.Set(_name, end);
            }

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
            _answered.Cut([], length);
            _answeredInFolder?.Cut(_name, length);
            RandomAccess.SetLength(_file, length);
            if (_flush) RandomAccess.FlushToDisk(_file);
            _written = length;
            Volatile.Write(ref _length, length);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            try
            {
                if (!_file.IsClosed && !_isSuspect && _written > _length) Cut();
            }
            catch (IOException)
            {
                // Who opens it next cuts it.
            }

            _answered.Dispose();
            _file.Dispose();
        }
    }

    private void Cut()
    {
        RandomAccess.SetLength(_file, _length);
        _written = _length;
    }

    /// <summary>The zeros become durable with the append that makes them.</summary>
    private void MakeRoom(long from)
    {
        var end = from + Math.Clamp(from, Math.Min(RoomBytesMin, _roomBytes), _roomBytes);
        try
        {
            for (var at = from; at < end; at += s_zeros.Length)
            {
                RandomAccess.Write(_file, s_zeros.AsSpan(0, (int)Math.Min(s_zeros.Length, end - at)), at);
                _written = Math.Min(end, at + s_zeros.Length);
            }
        }
        catch (IOException)
        {
            // The disk has no room for more than the append itself,
            // perhaps: what was written of the zeros does no harm.
        }
    }
}
