using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// What a choice among tables goes by: CormCC's features (contention, share of reads, size, locality), how the table in
/// force copes, and which one that is. All are shares or logarithms, so that they say the same of a large cluster.
/// </summary>
internal static class LoadFeatures
{
    private static readonly string[] _ofLoad =
    [
        "accesses", "updates", "met", "met later", "hot", "upgrades", "remote", "aborted", "deadlocks", "cascades",
        "waits", "open", "time", "append", "held", "reservable",
    ];

    /// <summary>Their names, those for the table in force at the end.</summary>
    /// <param name="tables">The tables that may be in force.</param>
    public static IReadOnlyList<string> Names(IEnumerable<string> tables) =>
        [.. _ofLoad, .. tables.Select(table => $"is {table}")];

    /// <summary>Those of a window.</summary>
    /// <param name="window">What was counted in it, on all nodes.</param>
    /// <param name="microseconds">How long it was.</param>
    /// <param name="nodes">How many there are; at least 1.</param>
    /// <param name="inForce">The index of the table in force.</param>
    /// <param name="tables">How many tables there are.</param>
    public static float[] Of(LoadCounts window, long microseconds, int nodes, int inForce, int tables)
    {
        var (accesses, attempts) = (window[LoadCount.Accesses], window[LoadCount.Attempts]);
        var features = new float[_ofLoad.Length + tables];
        features[0] = Log(accesses, attempts);
        features[1] = Share(LoadCount.Updates, accesses);
        features[2] = Share(LoadCount.Met, accesses);
        features[3] = Share(LoadCount.MetLater, window[LoadCount.Met]);
        features[4] = Share(LoadCount.Hot, accesses);
        features[5] = Share(LoadCount.Upgrades, accesses);
        features[6] = Share(LoadCount.Remote, accesses);
        features[7] = Share(LoadCount.Conflicts, attempts);
        features[8] = Share(LoadCount.Deadlocks, attempts);
        features[9] = Share(LoadCount.Cascades, attempts);
        features[10] = Share(LoadCount.Waits, accesses);
        features[11] = Log(window[LoadCount.OpenMicroseconds], microseconds * nodes);
        features[12] = Log(window[LoadCount.OpenMicroseconds], window[LoadCount.Commits] * 1_000);
        features[13] = Log(window[LoadCount.AppendMicroseconds], window[LoadCount.Appends] * 1_000);
        features[14] = Share(LoadCount.Held, attempts);
        features[15] = Share(LoadCount.Reservable, attempts);
        features[_ofLoad.Length + inForce] = 1;
        return features;

        float Share(LoadCount part, long whole) => (float)window[part] / Math.Max(1, whole);
    }

    private static float Log(long part, long whole) => (float)Math.Log(Math.Max(1, part) / (double)Math.Max(1, whole));
}
