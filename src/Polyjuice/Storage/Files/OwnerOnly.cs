namespace Polyjuice.Storage;

/// <summary>
/// Makes folders and files that nobody but their owner can read: they hold the application's data. What is there
/// already keeps its permissions, and on Windows a folder's are its parent's.
/// </summary>
internal static class OwnerOnly
{
    private const UnixFileMode File = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Makes a folder, unless it is there.</summary>
    public static void CreateDirectory(string path)
    {
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(path);
        else Directory.CreateDirectory(path, File | UnixFileMode.UserExecute);
    }

    /// <summary>Opens a file for writing, or makes it.</summary>
    public static FileStream Open(string path, FileMode mode, FileShare share, int bufferBytes = 0)
    {
        var options = new FileStreamOptions
        {
            Mode = mode, Access = FileAccess.ReadWrite, Share = share, BufferSize = bufferBytes
        };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = File;
        return new FileStream(path, options);
    }
}
