namespace Polyjuice.Tracing;

/// <summary>
/// Reads traces from a folder that <see cref="FileTraceSink"/> writes
/// into, its own files only and not those of folders in it. Thread-safe.
/// </summary>
/// <param name="folder">May be made later.</param>
internal sealed class FileTraceSource(string folder) : ITraceSource
{
    private const int BufferBytes = 1 << 16;

    /// <inheritdoc/>
    public string Location { get; } = Path.GetFullPath(folder);

    /// <inheritdoc/>
    public Task<IReadOnlyList<TraceFileInfo>> ListAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var directory = new DirectoryInfo(Location);
        IReadOnlyList<TraceFileInfo> files = directory.Exists
            ? [.. directory.EnumerateFiles("*" + TraceFormat.Extension).Select(InfoOf).OfType<TraceFileInfo>()]
            : [];
        return Task.FromResult(files);
    }

    /// <inheritdoc/>
    public Stream Open(string name) =>
        new FileStream(
            PathOf(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, BufferBytes);

    /// <inheritdoc/>
    public Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        File.Delete(PathOf(name));
        return Task.CompletedTask;
    }

    // Nothing if somebody has deleted it since it was listed.
    private static TraceFileInfo? InfoOf(FileInfo file)
    {
        try
        {
            return new TraceFileInfo(file.Name, file.Length, new DateTimeOffset(file.LastWriteTimeUtc));
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private string PathOf(string name) =>
        Path.GetFileName(name) == name
            ? Path.Combine(Location, name)
            : throw new ArgumentException($"{name} is no file's name: it has a folder.", nameof(name));
}
