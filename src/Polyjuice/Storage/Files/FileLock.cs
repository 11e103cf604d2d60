namespace Polyjuice.Storage;

/// <summary>A folder taken for one process: a file that is locked while the process lives, and so never left behind by one that was killed.</summary>
internal sealed class FileLock : ILogDeviceLock
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

    public static FileLock Take(string directory, string holder)
    {
        var path = Path.Combine(directory, Name);
        FileStream file;
        try
        {
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException exception) when (IsTaken(exception))
        {
            throw new LogDeviceLockedException(
                $"The logs in {directory} are used by {HolderOf(directory)}. Stop that first, or use another folder.", exception);
        }

        try
        {
            File.WriteAllText(Path.Combine(directory, HolderName), holder);
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
    private static bool IsTaken(IOException exception) => exception.HResult is WouldBlockOnLinux or WouldBlockOnMac or SharingViolation or LockViolation;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _file.DisposeAsync();

    private static string HolderOf(string directory)
    {
        try
        {
            return File.ReadAllText(Path.Combine(directory, HolderName)).Trim() is { Length: > 0 } holder ? holder : "another process";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "another process";
        }
    }
}
