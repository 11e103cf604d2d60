namespace Polyjuice.Tracing;

/// <summary>Writes traces into a folder. Thread-safe.</summary>
/// <param name="folder">Made when the first file is, if it is not there.</param>
public sealed class FileTraceSink(string folder) : ITraceSink
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = folder;

    /// <inheritdoc/>
    public Task<Stream> CreateAsync(string name, CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(Folder);

        // Each block is one write: a buffer of the stream's own would only be copied through.
        return Task.FromResult<Stream>(new FileStream(Path.Combine(Folder, name), FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0));
    }
}
