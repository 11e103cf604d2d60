using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Polyjuice.Storage;

/// <summary>
/// Makes durable what the runtime has no call for: on Unix, a folder's entries (a file that was made or renamed may be
/// gone after a crash until its folder was flushed), and a file's data alone.
/// </summary>
internal static class FileSync
{
    private const int ReadOnly = 0;
    private const int Interrupted = 4;
    private const int InvalidArgument = 22;

    /// <summary>
    /// A file's data, and of what the file system knows about it as much as is needed to read them again: its length,
    /// but not when it was written. On Linux that is one step less for the disk where the length stays as it is.
    /// </summary>
    public static void Data(SafeFileHandle file)
    {
        if (!OperatingSystem.IsLinux() || !TryFlushData(file)) RandomAccess.FlushToDisk(file);
    }

    /// <summary><see langword="false"/> for a file that can't be flushed like this.</summary>
    private static bool TryFlushData(SafeFileHandle file)
    {
        while (FlushData(file) != 0)
        {
            switch (Marshal.GetLastPInvokeError())
            {
                case Interrupted:
                    break;
                case InvalidArgument:
                    return false;
                default:
                    throw Failed("A file's data", "flushed");
            }
        }

        return true;
    }

    public static void Directory(string path)
    {
        if (OperatingSystem.IsWindows()) return;
        var descriptor = Open(path, ReadOnly);
        if (descriptor < 0) throw Failed($"The folder {path}", "opened");
        try
        {
            if (Flush(descriptor) != 0) throw Failed($"The folder {path}", "flushed");
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    private static IOException Failed(string what, string done)
    {
        var error = Marshal.GetLastPInvokeError();
        return new IOException($"{what} could not be {done}: {Marshal.GetPInvokeErrorMessage(error)}.", error);
    }

    [DllImport(
        "libc", EntryPoint = "open", SetLastError = true, CharSet = CharSet.Ansi, BestFitMapping = false,
        ThrowOnUnmappableChar = true)]
    private static extern int Open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags);

    [DllImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static extern int FlushData(SafeFileHandle file);

    [DllImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static extern int Flush(int descriptor);

    [DllImport("libc", EntryPoint = "close", SetLastError = true)]
    private static extern int Close(int descriptor);
}
