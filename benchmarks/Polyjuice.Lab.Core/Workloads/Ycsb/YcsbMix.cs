namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>
/// One of YCSB's core workloads (Cooper et al., SoCC 2010): how many percent of its operations do what.
/// </summary>
public sealed record YcsbMix
{
    private readonly (YcsbAction Action, int Percent)[] _shares;

    private YcsbMix(string name, string summary, bool readsLatest, params (YcsbAction Action, int Percent)[] shares)
    {
        Name = name;
        Summary = summary;
        ReadsLatest = readsLatest;
        _shares = shares;
    }

    /// <summary>All six, in order.</summary>
    public static IReadOnlyList<YcsbMix> All { get; } =
    [
        new("a", "half reads, half updates", false, (YcsbAction.Read, 50), (YcsbAction.Update, 50)),
        new("b", "19 reads to an update", false, (YcsbAction.Read, 95), (YcsbAction.Update, 5)),
        new("c", "reads only", false, (YcsbAction.Read, 100)),
        new("d", "19 reads of late records to an insert", true, (YcsbAction.Read, 95), (YcsbAction.Insert, 5)),
        new("e", "19 scans to an insert", false, (YcsbAction.Scan, 95), (YcsbAction.Insert, 5)),
        new(
            "f", "half reads, half reads and updates of one record", false, (YcsbAction.Read, 50),
            (YcsbAction.ReadModifyWrite, 50)),
    ];

    /// <summary>Its letter, in lower case.</summary>
    public string Name { get; }

    /// <summary>What it does, in a few words.</summary>
    public string Summary { get; }

    /// <summary>Whether reads are of what was inserted last, rather than by θ among all records.</summary>
    public bool ReadsLatest { get; }

    /// <summary>Reads, and for the rest updates.</summary>
    /// <param name="percent">How many percent are reads, 0 to 100.</param>
    public static YcsbMix OfReads(int percent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percent);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        return new(
            $"{percent}% reads",
            "reads and updates",
            false,
            (YcsbAction.Read, percent),
            (YcsbAction.Update, 100 - percent));
    }

    /// <summary>The mix of a letter, in either case.</summary>
    /// <exception cref="ArgumentException">There is none; the message lists what there is.</exception>
    public static YcsbMix Find(string name) =>
        All.FirstOrDefault(mix => string.Equals(mix.Name, name, StringComparison.OrdinalIgnoreCase))
            ?? throw new ArgumentException(
                $"YCSB has no mix \"{name}\". Valid: "
                + $"{string.Join(", ", All.Select(mix => $"{mix.Name} ({mix.Summary})"))}.",
                nameof(name));

    /// <summary>What an operation does.</summary>
    /// <param name="draw">0 to 99, at random.</param>
    public YcsbAction Choose(int draw)
    {
        foreach (var (action, percent) in _shares)
        {
            if ((draw -= percent) < 0) return action;
        }

        throw new ArgumentOutOfRangeException(nameof(draw), draw, "At most 99.");
    }
}
