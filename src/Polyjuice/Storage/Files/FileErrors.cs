namespace Polyjuice.Storage;

/// <summary>Turns what the system says about a file into what its operator should do.</summary>
internal static class FileErrors
{
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const string GoesOn = "Nothing is lost";

    public static Exception Explain(Exception exception, string path)
    {
        // On Unix the result is the system's error number.
        switch (exception.HResult)
        {
            case 28 or WindowsDiskFull:
                return new IOException(
                    $"The disk of {path} is full. {GoesOn}; make room, and the log goes on by itself.", exception);
            case 122:
                return new IOException(
                    $"The disk quota for {path} is used up. {GoesOn}; raise it or make room, and the log goes on "
                    + "by itself.",
                    exception);
            case 27:
                return new IOException(
                    $"{path} has reached the size that this process may give a file. {GoesOn}; raise the limit (ulimit "
                    + "-f), or make segments smaller (SegmentBytes).",
                    exception);
            case 24 or 23:
                return new IOException(
                    $"{path} can't be opened, because too many files are open. {GoesOn}; raise the limit (ulimit -n), "
                    + "or use fewer partitions.",
                    exception);
            case 30:
                return new IOException(
                    $"{path} is on a disk that is mounted read-only. Mount it writable, or use another folder.",
                    exception);
            case 5:
                return new IOException(
                    $"The disk of {path} failed. Nothing counts as written that it did not confirm; see the "
                    + "system's log.",
                    exception);
        }

        return exception switch
        {
            UnauthorizedAccessException => new UnauthorizedAccessException(
                $"This process may not use {path}. It needs permission to read and write there.", exception),
            PathTooLongException => new PathTooLongException(
                $"{path} is longer than the system's paths may be. Use a folder with a shorter path.", exception),
            _ => exception,
        };
    }

    /// <summary>A folder that can't be made, because something of a part of its path is a file.</summary>
    public static void RequireNoFile(string folder)
    {
        for (var part = folder; part is not null; part = Path.GetDirectoryName(part))
        {
            if (File.Exists(part))
                throw new IOException(
                    $"{part} is a file, and the logs need a folder "
                    + $"{(part == folder ? "there" : $"below it ({folder})")}. Use another folder, or move the "
                    + "file away.");
        }
    }
}
