namespace Polyjuice.Storage;

/// <summary>
/// A folder taken for one process: a file that is locked while the
/// process lives, and so never left behind by one that was killed.
/// </summary>
internal sealed class FileLock : ILogDeviceLock, IDisposable
{
    public const string Name = "lock";
    private const string HolderName = "lock.holder";
    private const int WouldBlockOnLinux = 11;
    private const int WouldBlockOnMac = 35;
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int LockViolation = unchecked((int)0x80070021);
    private readonly FileStream _file;

    private FileLock(FileStream file) => _file = file;

    /// <inheritdoc/>
    public CancellationToken Lost => CancellationToken.None;

    /// <summary>Takes a folder of logs.</summary>
    /// <exception cref="LogDeviceLockedException">Another process has it; the message says which.</exception>
    public static FileLock Take(string directory, string holder) => TryTake(directory, holder, out var by)
        ?? throw new LogDeviceLockedException(
            $"The logs in {directory} are used by {by}. Stop that first, or use another folder.");

    /// <summary>Takes a folder, which must be there, unless somebody else has it.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="holder">Who takes it, for people.</param>
    /// <param name="by">Who has it, as they say.</param>
    /// <exception cref="IOException">The file can't be made.</exception>
    public static FileLock? TryTake(string directory, string holder, out string by)
    {
        by = holder;
        FileStream file;
        try
        {
            file = OwnerOnly.Open(Path.Combine(directory, Name), FileMode.OpenOrCreate, FileShare.None);
        }
        catch (IOException exception) when (IsTaken(exception))
        {
            by = HolderOf(directory);
            return null;
        }

        try
        {
            using (var text = new StreamWriter(
                OwnerOnly.Open(Path.Combine(directory, HolderName), FileMode.Create, FileShare.Read)))
                text.Write(holder);
            return new FileLock(file);
        }
        catch
        {
            // A full disk, for example: who tries again later must not find the folder taken by this attempt.
            file.Dispose();
            throw;
        }
    }

    // What else may be wrong with the file is not somebody else's lock: a disk that is full or mounted read-only, say.
    private static bool IsTaken(IOException exception) =>
        exception.HResult is WouldBlockOnLinux or WouldBlockOnMac or SharingViolation or LockViolation;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _file.DisposeAsync();

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private static string HolderOf(string directory)
    {
        try
        {
            return File.ReadAllText(Path.Combine(directory, HolderName)).Trim() is { Length: > 0 } holder
                ? holder
                : "another process";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "another process";
        }
    }
}
