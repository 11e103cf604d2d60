using System.Collections.Concurrent;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Where a write has failed that may be there all the same, and which standbys may lack: in which folders of segments
/// and objects, since a length there was last settled. Thread-safe.
/// </summary>
internal sealed class WriteDoubts
{
    private readonly ConcurrentDictionary<string, bool> _folders = new(StringComparer.Ordinal);

    /// <summary>Runs a write, which leaves a doubt unless it is done.</summary>
    public async Task<T> UnlessDoneAsync<T>(string name, Func<Task<T>> write)
    {
        // No ConfigureAwait(false): an object's content comes where the caller is.
        try
        {
            return await write();
        }
        catch
        {
            _folders[FolderOf(name)] = true;
            throw;
        }
    }

    /// <summary>Whether there is one about a segment.</summary>
    public bool Has(string name) => !_folders.IsEmpty && _folders.ContainsKey(FolderOf(name));

    /// <summary>What was found there is where all commits are.</summary>
    public void Settled(string name) => _folders.TryRemove(FolderOf(name), out _);

    private static string FolderOf(string name) => name[..(name.LastIndexOf('/') + 1)];
}
