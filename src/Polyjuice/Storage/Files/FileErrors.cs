namespace Polyjuice.Storage;

/// <summary>Turns what the system says about a file into what its operator should do.</summary>
internal static class FileErrors
{
    private const int WindowsDiskFull = unchecked((int)0x80070070);

    public static Exception Explain(Exception exception, string path)
    {
        // On Unix the result is the system's error number.
        switch (exception.HResult)
        {
            case 28 or WindowsDiskFull:
                return new IOException($"The disk of {path} is full. Nothing is lost; make room, and the log goes on by itself.", exception);
            case 122:
                return new IOException($"The disk quota for {path} is used up. Nothing is lost; raise it or make room, and the log goes on by itself.", exception);
            case 30:
                return new IOException($"{path} is on a disk that is mounted read-only. Mount it writable, or use another folder.", exception);
            case 5:
                return new IOException($"The disk of {path} failed. Nothing counts as written that it did not confirm; see the system's log.", exception);
            default:
                return exception is UnauthorizedAccessException
                    ? new UnauthorizedAccessException($"This process may not use {path}. It needs permission to read and write there.", exception)
                    : exception;
        }
    }
}
