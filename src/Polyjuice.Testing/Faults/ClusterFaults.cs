using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Testing;

/// <summary>
/// A fault script: which faults befall a test cluster, and how often. Set <see cref="PolyjuiceTestCluster.Faults"/> to
/// one. The seed draws the plan: when which fault begins, how long it lasts, and which of the silos that run then it
/// befalls. What transactions run meanwhile is not the seed's, because clusters run in real time. Must not change once
/// it is set. For one thread at a time until then.
/// </summary>
/// <example>
/// <code>
/// cluster.Faults = new ClusterFaults { Seed = 7 }
///     .Every(FaultKind.Crash, TimeSpan.FromSeconds(5))
///     .Every(FaultKind.BatchLoss, TimeSpan.FromSeconds(1));
/// </code>
/// </example>
public sealed class ClusterFaults
{
    private readonly SortedDictionary<FaultKind, TimeSpan> _meanTimes = [];
    private readonly Dictionary<FaultKind, TimeSpan> _durations = [];

    /// <summary>What the plan is drawn from. Default: another one each time; the ledger says which.</summary>
    public int Seed { get; set; } = Random.Shared.Next();

    /// <summary>The faults of the plan. Default 100; 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int FaultsMax { get; set; } = 100;

    /// <summary>
    /// How long a fault lasts at the most; it lasts a tenth of that at least. Default 1 s; 1 ms to 10 min. Not for
    /// kinds that have a duration of their own.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:10:00")]
    public TimeSpan DurationMax { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// A fault that would leave fewer silos that run is skipped. Default 1; 0 to 16. The logs are shared, so one is
    /// enough; with 0, clients find none for a while.
    /// </summary>
    [Range(0, 16)]
    public int SilosMin { get; set; } = 1;

    /// <summary>
    /// The share of engines' batches that are lost, doubled or held back while
    /// that is the fault, and of appends that fail. Default 0.2; 0 to 1.
    /// </summary>
    [Range(0.0, 1.0)]
    public double Share { get; set; } = 0.2;

    /// <summary>How long messages and appends take while that is the fault. Default 20 ms; 0 to 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan Delay { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// The kinds of fault that happen, with the mean time from the beginning of one to that of the next.
    /// </summary>
    internal IReadOnlyDictionary<FaultKind, TimeSpan> MeanTimes => _meanTimes;

    /// <summary>
    /// The kinds of fault that last equally long each time, in place of what <see cref="DurationMax"/> says.
    /// </summary>
    internal IReadOnlyDictionary<FaultKind, TimeSpan> Durations => _durations;

    /// <summary>Adds a kind of fault, or changes how often it happens.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="meanTime">
    /// The mean time from the beginning of one to that of the next; 1 ms to 1 h. Times are exponentially distributed.
    /// </param>
    /// <returns>This.</returns>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public ClusterFaults Every(FaultKind kind, TimeSpan meanTime)
    {
        if (!Enum.IsDefined(kind)) throw new ArgumentOutOfRangeException(nameof(kind), kind, "There is no such fault.");
        ArgumentOutOfRangeException.ThrowIfLessThan(meanTime, TimeSpan.FromMilliseconds(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(meanTime, TimeSpan.FromHours(1));
        _meanTimes[kind] = meanTime;
        return this;
    }

    /// <summary>
    /// Adds a kind of fault that lasts equally long each time, or changes how often it happens and how long it lasts.
    /// </summary>
    /// <param name="kind">The kind.</param>
    /// <param name="meanTime">
    /// The mean time from the beginning of one to that of the next; 1 ms to 1 h. Times are exponentially distributed.
    /// </param>
    /// <param name="duration">How long each lasts, unless faults are ended before; 1 ms to 10 min.</param>
    /// <returns>This.</returns>
    /// <exception cref="ArgumentOutOfRangeException">One is out of its bounds.</exception>
    public ClusterFaults Every(FaultKind kind, TimeSpan meanTime, TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.FromMilliseconds(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(duration, TimeSpan.FromMinutes(10));
        Every(kind, meanTime);
        _durations[kind] = duration;
        return this;
    }

    /// <summary>All kinds of fault, each as often.</summary>
    /// <param name="seed">What the plan is drawn from.</param>
    /// <param name="meanTime">
    /// The mean time from the beginning of one of a kind to that of the next; 1 ms to 1 h.
    /// </param>
    public static ClusterFaults All(int seed, TimeSpan meanTime)
    {
        var faults = new ClusterFaults { Seed = seed };
        foreach (var kind in Enum.GetValues<FaultKind>()) faults.Every(kind, meanTime);
        return faults;
    }
}
