using Polyjuice.Policies;

namespace Polyjuice.LiveView.Measuring;

/// <summary>What happened in about a second, in all engines of the process.</summary>
internal sealed record Sample
{
    /// <summary>A sample has so many grains at the most.</summary>
    public const int GrainsMax = 5;

    /// <summary>Counts samples, from 1.</summary>
    public required long Number { get; init; }

    /// <summary>When it ended.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>How long it was, in seconds.</summary>
    public required double Seconds { get; init; }

    /// <summary>Transactions committed.</summary>
    public long Commits { get; init; }

    /// <summary>Attempts aborted, by reason.</summary>
    public required IReadOnlyDictionary<string, long> Aborts { get; init; }

    /// <summary>The same by transaction type and reason.</summary>
    public required IReadOnlyList<TypeAborts> TypeAborts { get; init; }

    /// <summary>Latency of committed transactions, all together; its type is empty.</summary>
    public required TypeLatency Latency { get; init; }

    /// <summary>Latency by transaction type.</summary>
    public required IReadOnlyList<TypeLatency> Types { get; init; }

    /// <summary>
    /// Who waited for whom, whatever the site: the <see cref="TypeWaits.Max"/> pairs that waited longest.
    /// </summary>
    public required IReadOnlyList<TypeWaits> TypeWaits { get; init; }

    /// <summary>The <see cref="GrainsMax"/> hottest grains; none of a second in which nobody looked.</summary>
    public IReadOnlyList<HotGrain> Grains { get; init; } = [];

    /// <summary>Recordings of traces, at its end.</summary>
    public RecordingFigures Trace { get; init; } = new(0, 0, 0, 0);

    /// <summary>How long the chains of undecided transactions were that transactions stood on, as a mean.</summary>
    public double ChainMean { get; init; }

    /// <summary>The longest of them.</summary>
    public int ChainMax { get; init; }

    /// <summary>Transactions that aborted versions took with them.</summary>
    public long Cascaded { get; init; }

    /// <summary>Attempts that waited to start, at its end.</summary>
    public long Waiting { get; init; }

    /// <summary>The policy in force at its end.</summary>
    public int PolicyVersion { get; init; }

    /// <summary>
    /// The built-in table that engines had chosen at its end; <see langword="null"/> where the policy leaves no choice,
    /// or none has been made yet.
    /// </summary>
    public string? Chosen { get; init; }
}

/// <summary>Attempts of one type that were aborted for one reason.</summary>
/// <param name="Type">The transaction type.</param>
/// <param name="Reason">Why.</param>
/// <param name="Attempts">How many there were.</param>
internal sealed record TypeAborts(string Type, string Reason, long Attempts);

/// <summary>How long transactions of one type waited for those of another, at all sites. Sums.</summary>
/// <param name="Type">The type of those that waited.</param>
/// <param name="Target">The type of those that were waited for.</param>
/// <param name="Seconds">Time waited; over a second, how many waited at a time.</param>
internal sealed record TypeWaits(string Type, string Target, double Seconds)
{
    /// <summary>A sample has so many pairs at the most.</summary>
    public const int Max = 10;
}

/// <summary>What the engines of the process record, all together.</summary>
/// <param name="Recordings">Engines that record.</param>
/// <param name="Attempts">Attempts that their present recordings have.</param>
/// <param name="Dropped">Attempts and accesses that they have not, although they were to.</param>
/// <param name="Bytes">Bytes that were written.</param>
internal sealed record RecordingFigures(long Recordings, long Attempts, long Dropped, long Bytes);

/// <summary>
/// How long committed transactions took, from the first attempt to the commit, retries and the wait to start included.
/// </summary>
/// <param name="Type">The transaction type.</param>
/// <param name="Commits">How many there were.</param>
/// <param name="Mean">In seconds.</param>
/// <param name="P50">The median, in seconds.</param>
/// <param name="P99">In seconds.</param>
internal sealed record TypeLatency(string Type, long Commits, double Mean, double P50, double P99);

/// <summary>How long transactions waited for others at a site. Sums.</summary>
/// <param name="Type">The transaction type.</param>
/// <param name="Site">
/// The site's name within its type; "(commit)" and "(reservation)" are waits that are not an access's.
/// </param>
/// <param name="Target">The type of the transactions that were waited for.</param>
/// <param name="Waits">Waits that ended.</param>
/// <param name="Aborted">Those of them that ended because who waited was aborted.</param>
/// <param name="Seconds">Time waited.</param>
internal sealed record SiteWaits(string Type, string Site, string Target, long Waits, long Aborted, double Seconds);
