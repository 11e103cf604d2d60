using System.Collections.Concurrent;

namespace Polyjuice.Storage;

/// <summary>
/// A local folder. Its calls block their thread until the disk has answered, and are complete when they return: a log
/// calls them on threads of its own. For one process at a time, which the lock takes care of.
/// </summary>
/// <param name="directory">The folder; made when the lock is taken.</param>
/// <param name="flush">Whether to flush to the disk what is written, before it counts.</param>
/// <param name="isReadOnly">
/// Whether only to look: nothing is locked, made or opened for writing, and files may grow meanwhile.
/// </param>
/// <param name="roomBytes">
/// The most zeros that are written ahead of what is appended, at a time. See
/// <see cref="FileLogOptions.PreallocateBytes"/>.
/// </param>
internal sealed class FileLogDevice(
    string directory, bool flush, bool isReadOnly = false,
    long roomBytes = FileLogOptions.PreallocateBytesDefault) : ILogDevice
{
    private const string TemporarySuffix = ".tmp";

    /// <summary>
    /// A long object goes to the disk bit by bit, because one long flush would hold up those of the appends beside it.
    /// </summary>
    private const long BytesBetweenFlushes = 2 << 20;

    private readonly string _root = Path.GetFullPath(directory);
    private readonly ConcurrentDictionary<string, FileSegment> _segments = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, AnsweredFile> _answeredInFolders = new(StringComparer.Ordinal);
    private readonly Lock _opening = new();
    private readonly Lock _putting = new();
    private long _temporaries;

    /// <inheritdoc/>
    public string Location => _root;

    /// <inheritdoc/>
    public bool MayTear => true;

    /// <inheritdoc/>
    public int AppendBytesMax => 1 << 30;

    /// <inheritdoc/>
    public int AppendsPerSegmentMax => int.MaxValue;

    /// <inheritdoc/>
    public ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) =>
        Do<ILogDeviceLock>(_root, cancellationToken, () =>
        {
            FileErrors.RequireNoFile(_root);
            MakeFolder(_root);
            var taken = FileLock.Take(_root, holder);
            foreach (var left in Directory.EnumerateFiles(_root, "*" + TemporarySuffix, SearchOption.AllDirectories))
                File.Delete(left);

            // What an earlier process made or renamed is taken for durable from here on.
            if (flush)
            {
                Sync(_root);
                foreach (var folder in Directory.EnumerateDirectories(_root)) Sync(folder);
            }

            return taken;
        });

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken) =>
        Do<IReadOnlyList<LogDeviceEntry>>(_root, cancellationToken, () =>
        {
            // Only the folder that the prefix names, which may be one of thousands.
            var folder = FolderOf(prefix);
            if (!Directory.Exists(folder)) return [];
            var entries = new List<LogDeviceEntry>();
            foreach (var file in new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories))
            {
                var name = NameOf(file.FullName);
                if (!name.StartsWith(prefix, StringComparison.Ordinal)
                    || name.EndsWith(TemporarySuffix, StringComparison.Ordinal)
                        || name.EndsWith(AnsweredFile.Suffix, StringComparison.Ordinal)) continue;
                if (LengthOf(name, file) is { } length) entries.Add(new LogDeviceEntry(name, length));
            }

            entries.Sort(static (a, b) => string.CompareOrdinal(a.Name, b.Name));
            return entries;
        });

    /// <inheritdoc/>
    public ValueTask CreateAsync(string segment, CancellationToken cancellationToken) =>
        Do(PathOf(segment), cancellationToken, () =>
        {
            var path = PathOf(segment);
            if (File.Exists(path)) return;
            MakeFolder(Path.GetDirectoryName(path)!);
            using (var file = OwnerOnly.Open(path, FileMode.OpenOrCreate, FileShare.ReadWrite | FileShare.Delete))
            {
                if (flush) file.Flush(flushToDisk: true);
            }

            Sync(Path.GetDirectoryName(path)!);
        });

    /// <inheritdoc/>
    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken) =>
        Do(PathOf(segment), cancellationToken, () => SegmentOf(segment).Append(offset, bytes.Span));

    /// <inheritdoc/>
    public ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken) =>
        Do(PathOf(name), cancellationToken, () =>
            IsSegment(name) ? SegmentOf(name).Length : new FileInfo(PathOf(name)).Length);

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAnsweredAsync(
        string prefix, CancellationToken cancellationToken) =>
        Do<IReadOnlyList<LogDeviceEntry>>(_root, cancellationToken, () =>
        {
            var known = new SortedDictionary<string, long>(StringComparer.Ordinal);
            var folder = FolderOf(prefix);
            if (Directory.Exists(folder))
            {
                foreach (var path in Directory.EnumerateFiles(
                    folder, "*" + AnsweredFile.Suffix, SearchOption.AllDirectories))
                    Note(path[..^AnsweredFile.Suffix.Length]);
            }

            // That of the folder itself is beside it.
            if (prefix.EndsWith('/')) Note(folder);
            return [.. known.Select(one => new LogDeviceEntry(one.Key, one.Value))];

            void Note(string of)
            {
                var answered = AnsweredFile.Read(of);

                // That there is such a file beside a segment says that there was a segment, whatever is in it.
                if (of.EndsWith(LogIdentity.SegmentSuffix, StringComparison.Ordinal))
                    Add(of, answered is { Segment: "" } own ? own.Length : 0);
                else if (answered is var (segment, length))
                    Add(Path.Combine(of, segment), length);
            }

            void Add(string path, long length)
            {
                var name = NameOf(path);
                if (name.StartsWith(prefix, StringComparison.Ordinal))
                    known[name] = Math.Max(length, known.GetValueOrDefault(name));
            }
        });

    /// <inheritdoc/>
    public ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken) =>
        Do(PathOf(name), cancellationToken, () =>
        {
            if (IsSegment(name)) return SegmentOf(name).Read(offset, buffer.Span);
            using var file = File.OpenHandle(
                PathOf(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return RandomAccess.Read(file, buffer.Span, offset);
        });

    /// <inheritdoc/>
    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        Do(PathOf(segment), cancellationToken, () => SegmentOf(segment).Truncate(length));

    /// <inheritdoc/>
    public async ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var path = PathOf(name);
        var temporary = $"{path}.{Interlocked.Increment(ref _temporaries)}{TemporarySuffix}";
        try
        {
            if (!overwrite && File.Exists(path)) return false;
            MakeFolder(Path.GetDirectoryName(path)!);
            await using (var file = OwnerOnly.Open(temporary, FileMode.Create, FileShare.None, 1 << 16))
            {
                long unflushed = 0;
                await foreach (var piece in content.WithCancellation(cancellationToken))
                {
                    file.Write(piece.Span);
                    unflushed += piece.Length;
                    if (unflushed < BytesBetweenFlushes) continue;
                    file.Flush(flushToDisk: flush);
                    unflushed = 0;
                }

                file.Flush(flushToDisk: flush);
            }

            // Where the system can't rename without replacing, looking and
            // renaming are two steps; all puts here are this process's.
            lock (_putting)
            {
                if (!overwrite && File.Exists(path)) throw new IOException($"{path} is there.");
                File.Move(temporary, path, overwrite);
            }

            Sync(Path.GetDirectoryName(path)!);
            return true;
        }
        catch (Exception exception)
        {
            TryDelete(temporary);
            if (exception is IOException && !overwrite && File.Exists(path)) return false;
            var explained = FileErrors.Explain(exception, path);
            if (explained != exception) throw explained;
            throw;
        }
    }

    /// <inheritdoc/>
    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken) =>
        Do(PathOf(name), cancellationToken, () =>
        {
            lock (_opening)
            {
                // What is known of a segment goes before it: one that is made anew has another length.
                foreach (var path in (string[])[PathOf(name) + AnsweredFile.Suffix, PathOf(name)])
                {
                    if (File.Exists(path)) File.Delete(path);
                }

                if (_segments.TryRemove(name, out var open)) open.Dispose();
            }
        });

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        foreach (var segment in _segments.Values) segment.Dispose();
        _segments.Clear();
        foreach (var answered in _answeredInFolders.Values) answered.Dispose();
        _answeredInFolders.Clear();
        return ValueTask.CompletedTask;
    }

    // Nothing if the file has been deleted since it was listed: whoever goes on with the rest must not fail by that.
    private long? LengthOf(string name, FileInfo file)
    {
        if (_segments.TryGetValue(name, out var open)) return open.Length;
        try
        {
            return file.Length;
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private bool IsSegment(string name) =>
        !isReadOnly && name.EndsWith(LogIdentity.SegmentSuffix, StringComparison.Ordinal);

    private string PathOf(string name) => Path.Combine(_root, name);

    private string NameOf(string path) => Path.GetRelativePath(_root, path).Replace('\\', '/');

    // Without the separator at its end.
    private string FolderOf(string prefix) =>
        Path.TrimEndingDirectorySeparator(Path.Combine(_root, prefix[..(prefix.LastIndexOf('/') + 1)]));

    private FileSegment SegmentOf(string name)
    {
        if (_segments.TryGetValue(name, out var open)) return open;
        lock (_opening)
        {
            return _segments.GetOrAdd(
                name, key => new FileSegment(PathOf(key), flush, flush ? roomBytes : 0, AnsweredInFolderOf(key)));
        }
    }

    private AnsweredFile? AnsweredInFolderOf(string segment) => segment.LastIndexOf('/') is > 0 and var slash
        ? _answeredInFolders.GetOrAdd(segment[..slash], folder => new AnsweredFile(PathOf(folder)))
        : null;

    private void MakeFolder(string folder)
    {
        if (Directory.Exists(folder)) return;
        var parent = Path.GetDirectoryName(folder);
        if (parent is not null) MakeFolder(parent);
        OwnerOnly.CreateDirectory(folder);
        if (parent is not null) Sync(parent);
    }

    private void Sync(string folder)
    {
        if (flush) FileSync.Directory(folder);
    }

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It is not listed, and goes when the folder is opened next.
        }
    }

    private static ValueTask Do(string path, CancellationToken cancellationToken, Action action)
    {
        var done = Do(path, cancellationToken, () =>
        {
            action();
            return true;
        });
        return done.IsCompletedSuccessfully ? ValueTask.CompletedTask : new ValueTask(done.AsTask());
    }

    private static ValueTask<T> Do<T>(string path, CancellationToken cancellationToken, Func<T> action)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<T>(cancellationToken);
        try
        {
            return new(action());
        }
        catch (DirectoryNotFoundException exception)
        {
            return ValueTask.FromException<T>(new FileNotFoundException($"{path} is not there.", path, exception));
        }
        catch (ObjectDisposedException exception)
        {
            // Deleted while it was read.
            return ValueTask.FromException<T>(
                new FileNotFoundException($"{path} is not there any more.", path, exception));
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T>(FileErrors.Explain(exception, path));
        }
    }
}
