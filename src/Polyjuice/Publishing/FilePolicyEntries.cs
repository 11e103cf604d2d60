using Polyjuice.Storage;

namespace Polyjuice.Publishing;

/// <summary>
/// Keeps entries in a folder, a file each: <c>00000001.json</c> and so on. Other files there are none of its business.
/// Calls block their thread until the disk has answered, and are complete when they return. Thread-safe, and for any
/// number of processes; between machines, on a file system that they share and that has hard links (NFS has, SMB has
/// not).
/// </summary>
/// <param name="folder">Made when the first entry is, if it is not there.</param>
internal sealed class FilePolicyEntries(string folder) : IPolicyEntries
{
    private readonly string _root = Path.GetFullPath(folder);

    /// <inheritdoc/>
    public string Location => _root;

    /// <inheritdoc/>
    public ValueTask<int> GetLastAsync(CancellationToken cancellationToken) => Do(cancellationToken, () =>
        Directory.Exists(_root) ? Directory.EnumerateFiles(_root, "*" + PolicyEntryName.Suffix)
            .Select(path => PolicyEntryName.NumberOf(Path.GetFileName(path))).DefaultIfEmpty(0).Max() : 0);

    /// <inheritdoc/>
    public ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken) => Do(cancellationToken, () =>
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        try
        {
            using var file = new FileStream(
                PathOf(number), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            if (file.Length > IPolicyEntries.EntryBytesMax)
                throw new InvalidDataException(
                    $"{PathOf(number)} has {file.Length} bytes; an entry has at most {IPolicyEntries.EntryBytesMax}. "
                    + "Somebody else wrote it: move it away.");
            var content = new byte[file.Length];
            file.ReadExactly(content);
            return content;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    });

    /// <inheritdoc/>
    public ValueTask<bool> CreateAsync(int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        Do(cancellationToken, () =>
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(content.Length, IPolicyEntries.EntryBytesMax);
            if (!Directory.Exists(_root))
            {
                Directory.CreateDirectory(_root);
                if (Path.GetDirectoryName(_root) is { } parent) FileSync.Directory(parent);
            }

            return ExclusiveFile.TryCreate(PathOf(number), content.Span);
        });

    /// <summary>
    /// By the system's notice of a new file, which comes at once; on
    /// network file systems often only for this machine's own.
    /// </summary>
    /// <inheritdoc/>
    public IDisposable? Watch(Action changed)
    {
        ArgumentNullException.ThrowIfNull(changed);
        if (!Directory.Exists(_root)) return null;
        FileSystemWatcher? watcher = null;
        try
        {
            watcher = new FileSystemWatcher(_root, "*" + PolicyEntryName.Suffix)
            {
                NotifyFilter = NotifyFilters.FileName
            };
            watcher.Created += (_, _) => changed();
            watcher.Renamed += (_, _) => changed();
            watcher.EnableRaisingEvents = true;
            return watcher;
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ArgumentException
                or PlatformNotSupportedException)
        {
            // No more watches (inotify has a limit), or none on this file system: then it is looked at now and then.
            watcher?.Dispose();
            return null;
        }
    }

    private string PathOf(int number) => Path.Combine(_root, PolicyEntryName.Of(number));

    private static ValueTask<T> Do<T>(CancellationToken cancellationToken, Func<T> action)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<T>(cancellationToken);
        try
        {
            return new(action());
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return ValueTask.FromException<T>(exception);
        }
    }
}
