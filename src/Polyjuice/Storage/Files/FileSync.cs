using System.Runtime.InteropServices;

namespace Polyjuice.Storage;

/// <summary>Makes a folder's entries durable: on Unix, a file that was made or renamed may be gone after a crash until its folder was flushed.</summary>
internal static class FileSync
{
    private const int ReadOnly = 0;

    public static void Directory(string path)
    {
        if (OperatingSystem.IsWindows()) return;
        var descriptor = Open(path, ReadOnly);
        if (descriptor < 0) throw Failed("opened", path);
        try
        {
            if (Flush(descriptor) != 0) throw Failed("flushed", path);
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    private static IOException Failed(string what, string path)
    {
        var error = Marshal.GetLastPInvokeError();
        return new IOException($"The folder {path} could not be {what}: {Marshal.GetPInvokeErrorMessage(error)}.", error);
    }

    [DllImport("libc", EntryPoint = "open", SetLastError = true, CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int Open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags);

    [DllImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static extern int Flush(int descriptor);

    [DllImport("libc", EntryPoint = "close", SetLastError = true)]
    private static extern int Close(int descriptor);
}
