using Polyjuice.Isolation;

namespace Polyjuice.Cli.Checking;

/// <summary>
/// Writes a run's history as JSON lines, in Jepsen's format. One file
/// holds one history: a further seed's goes to a file of its own.
/// </summary>
internal sealed class HistoryFile(string path, bool manySeeds)
{
    /// <summary>Where a seed's history goes.</summary>
    public string PathOf(ulong seed) =>
        manySeeds
            ? Path.Combine(
                Path.GetDirectoryName(path) ?? "",
                $"{Path.GetFileNameWithoutExtension(path)}-{seed}{Path.GetExtension(path)}")
            : path;

    /// <summary>Writes one. Any thread.</summary>
    public void Write(ulong seed, History history) => HistoryWriter.Write(PathOf(seed), history.Operations);
}
