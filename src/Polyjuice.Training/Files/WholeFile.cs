namespace Polyjuice.Training.Files;

/// <summary>
/// Writes files that are either there whole or not at all. Thread-safe, as long as no two write the same file.
/// </summary>
internal static class WholeFile
{
    private const int BufferBytes = 1 << 16;

    /// <summary>Writes beside the file ("PATH.part"), and moves it into its place once it is whole.</summary>
    /// <param name="path">The file; what was there is replaced.</param>
    /// <param name="write">Writes the content; it must not dispose the stream.</param>
    /// <exception cref="IOException">
    /// It can't be written; then nothing has changed. The same goes for whatever <paramref name="write"/> throws.
    /// </exception>
    public static async Task WriteAsync(string path, Func<Stream, Task> write)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentNullException.ThrowIfNull(write);
        var unfinished = path + ".part";
        try
        {
            await using (var stream = new FileStream(
                unfinished, FileMode.Create, FileAccess.Write, FileShare.None, BufferBytes))
                await write(stream);
            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }
}
