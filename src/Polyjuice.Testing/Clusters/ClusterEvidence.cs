using System.Globalization;
using System.Text;

namespace Polyjuice.Testing;

/// <summary>
/// A folder for what is left of a run that has failed: one for
/// each cluster, made when it is first asked for. Thread-safe.
/// </summary>
internal sealed class ClusterEvidence(string parent, int seed)
{
    private readonly Lock _gate = new();
    private string? _folder;

    /// <summary>The folder.</summary>
    public string Folder
    {
        get
        {
            lock (_gate) return _folder ??= Make();
        }
    }

    /// <summary>Keeps a text.</summary>
    public Task WriteAsync(string name, string text) =>
        File.WriteAllTextAsync(Path.Combine(Folder, name), text, Encoding.UTF8);

    /// <summary>Keeps a file's bytes.</summary>
    public Task WriteAsync(string name, ReadOnlyMemory<byte> bytes)
    {
        var path = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        return File.WriteAllBytesAsync(path, bytes);
    }

    /// <summary>Keeps a copy of a folder, whose files may be written to meanwhile.</summary>
    public async Task CopyAsync(string source, string name)
    {
        foreach (var file in Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories))
        {
            var path = Path.Combine(Folder, name, Path.GetRelativePath(source, file));
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            try
            {
                await using var from = new FileStream(
                    file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
                await using var to = File.Create(path);
                await from.CopyToAsync(to).ConfigureAwait(false);
            }
            catch (IOException)
            {
                // A lock file, or one that has just been deleted.
            }
        }
    }

    private string Make()
    {
        var time = DateTime.UtcNow.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture);
        var name = string.Create(
            CultureInfo.InvariantCulture, $"{time}-seed{seed}-{Guid.NewGuid().ToString("N")[..6]}");
        return Directory.CreateDirectory(Path.Combine(parent, name)).FullName;
    }
}
