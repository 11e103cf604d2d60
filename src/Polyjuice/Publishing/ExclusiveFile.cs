using System.Globalization;
using System.Runtime.InteropServices;
using Polyjuice.Storage;

namespace Polyjuice.Publishing;

/// <summary>
/// Makes a file whole or not at all, and only if there is none of its name. It is written under another name first, and
/// then given its own: on Unix by a hard link, which fails if the name is taken.
/// <see cref="File.Move(string, string, bool)"/> looks there first and then renames, and between the two another
/// process may come.
/// </summary>
internal static class ExclusiveFile
{
    private const string TemporarySuffix = ".tmp";

    private static long s_temporaries;

    /// <summary>Says whether it was made. It is durable then.</summary>
    /// <exception cref="IOException">It can't be written there.</exception>
    public static bool TryCreate(string path, ReadOnlySpan<byte> content)
    {
        if (File.Exists(path)) return false;
        var temporary = WriteTemporary(path, content);
        try
        {
            if (!TryName(temporary, path)) return false;
        }
        finally
        {
            TryDelete(temporary);
        }

        FileSync.Directory(Path.GetDirectoryName(path)!);
        return true;
    }

    /// <summary>Under a name that nobody else takes: it is opened only if it is new.</summary>
    private static string WriteTemporary(string path, ReadOnlySpan<byte> content)
    {
        while (true)
        {
            var temporary = string.Create(
                CultureInfo.InvariantCulture, $"{path}.{Interlocked.Increment(ref s_temporaries)}{TemporarySuffix}");
            FileStream file;
            try
            {
                file = new FileStream(temporary, FileMode.CreateNew, FileAccess.Write, FileShare.None);
            }
            catch (IOException) when (File.Exists(temporary))
            {
                continue;
            }

            try
            {
                using (file)
                {
                    file.Write(content);
                    file.Flush(flushToDisk: true);
                }

                return temporary;
            }
            catch
            {
                TryDelete(temporary);
                throw;
            }
        }
    }

    private static bool TryName(string temporary, string path)
    {
        if (OperatingSystem.IsWindows())
        {
            try
            {
                File.Move(temporary, path, overwrite: false);
                return true;
            }
            catch (IOException) when (File.Exists(path))
            {
                return false;
            }
        }

        if (Link(temporary, path) == 0) return true;
        var error = Marshal.GetLastPInvokeError();
        if (File.Exists(path)) return false;
        throw new IOException(
            $"{path} could not be made: {Marshal.GetPInvokeErrorMessage(error)}. Entries are made by hard links, so "
            + "that two publishers can't take one number; if the folder's file system has none, keep them elsewhere (a "
            + "local folder, NFS, Azure blobs).",
            error);
    }

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Nobody takes it for an entry.
        }
    }

    [DllImport(
        "libc", EntryPoint = "link", SetLastError = true, CharSet = CharSet.Ansi, BestFitMapping = false,
        ThrowOnUnmappableChar = true)]
    private static extern int Link(
        [MarshalAs(UnmanagedType.LPUTF8Str)] string existing, [MarshalAs(UnmanagedType.LPUTF8Str)] string name);
}
