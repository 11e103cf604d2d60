using Polyjuice.Storage;

namespace Polyjuice.Tracing;

/// <summary>
/// Writes traces into a folder. They hold grains' keys, and calls' arguments where those are recorded, so what is made
/// is its owner's alone. Thread-safe.
/// </summary>
/// <param name="folder">Made when the first file is, if it is not there.</param>
internal sealed class FileTraceSink(string folder) : ITraceSink
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = folder;

    /// <inheritdoc/>
    public ITraceSource Source => field ??= new FileTraceSource(Folder);

    /// <summary>Makes the folder if it is not there, and a file in it, which it deletes again.</summary>
    /// <exception cref="IOException">Files can't be written there.</exception>
    /// <exception cref="UnauthorizedAccessException">They may not.</exception>
    internal void EnsureWritable()
    {
        OwnerOnly.CreateDirectory(Folder);
        var probe = Path.Combine(Folder, $"probe-{Path.GetRandomFileName()}");
        using (
            new FileStream(
                probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0, FileOptions.DeleteOnClose))
        {
        }
    }

    /// <inheritdoc/>
    public Task<Stream> CreateAsync(string name, CancellationToken cancellationToken)
    {
        OwnerOnly.CreateDirectory(Folder);

        // Each block is one write: a buffer of the stream's own would only be copied through.
        return Task.FromResult<Stream>(OwnerOnly.Open(Path.Combine(Folder, name), FileMode.CreateNew, FileShare.Read));
    }
}
