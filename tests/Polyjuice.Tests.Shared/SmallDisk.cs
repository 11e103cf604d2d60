using System.Diagnostics;

namespace Polyjuice.Tests.Shared;

/// <summary>A disk in memory, as small as wanted; unmounted when it is disposed.</summary>
public sealed class SmallDisk : IDisposable
{
    /// <summary>Mounts one.</summary>
    /// <param name="kilobytes">Its size.</param>
    /// <exception cref="IOException">This process may not.</exception>
    public SmallDisk(int kilobytes)
    {
        try
        {
            Run("mount", "-t", "tmpfs", "-o", $"size={kilobytes}k", "polyjuice-test", Path);
        }
        catch
        {
            Directory.Delete(Path);
            throw;
        }
    }

    /// <summary>Where it is mounted.</summary>
    public string Path { get; } = Directory.CreateTempSubdirectory("polyjuice-disk-").FullName;

    private string Ballast => System.IO.Path.Combine(Path, "ballast");

    /// <summary>
    /// Takes what room is left, all but so many bytes. Others may write there meanwhile; if nothing is to be left,
    /// there is no room at the end, whatever they do.
    /// </summary>
    public void Fill(long leave = 0)
    {
        using var ballast = new FileStream(
            Ballast, FileMode.OpenOrCreate, FileAccess.Write, FileShare.Read, bufferSize: 0);
        var zeros = new byte[4_096];
        try
        {
            for (var room = leave == 0
                ? long.MaxValue
                : new DriveInfo(Path).AvailableFreeSpace - leave; room > 0; room -=
                zeros.Length)
                ballast.Write(zeros, 0, (int)Math.Min(zeros.Length, room));
        }
        catch (IOException) when (leave == 0 && new DriveInfo(Path).AvailableFreeSpace < zeros.Length)
        {
            // Full.
        }
    }

    /// <summary>Gives it back.</summary>
    public void MakeRoom() => File.Delete(Ballast);

    /// <summary>Nothing may be written there from now on. No file may be open for writing.</summary>
    public void MakeReadOnly() => Run("mount", "-o", "remount,ro", Path);

    /// <summary>It may again.</summary>
    public void MakeWritable() => Run("mount", "-o", "remount,rw", Path);

    /// <inheritdoc/>
    public void Dispose()
    {
        Run("umount", "-l", Path);
        Directory.Delete(Path);
    }

    private static void Run(string command, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardError = true })!;
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0) throw new IOException($"{command}: {error.Trim()}");
    }
}
