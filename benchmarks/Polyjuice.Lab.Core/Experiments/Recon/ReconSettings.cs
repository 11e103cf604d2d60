namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>What the experiment is run with.</summary>
internal sealed record ReconSettings
{
    /// <summary>Skews of the transfers.</summary>
    public IReadOnlyList<double> Thetas { get; init; } = [0, 0.6, 0.9, 0.99, 1.2, 1.5];

    /// <summary>Calvin's contention indexes: one over the number of hot records of a partition.</summary>
    public IReadOnlyList<double> ContentionIndexes { get; init; } = [0.0001, 0.001, 0.01, 0.1, 1];

    /// <summary>
    /// What is compared: <c>run</c>, <c>dry-run</c>, <c>declared</c>,
    /// <c>auto-declared</c>, <c>auto-unmarked</c>, or built-in tables.
    /// </summary>
    public IReadOnlyList<string> Policies { get; init; } =
    [
        "run", "dry-run", "reserve", "declared", "auto", "auto-declared", "locking"
    ];

    /// <summary>Latencies of the storage: of a grain's load and of a log's append.</summary>
    public IReadOnlyList<TimeSpan> Storage { get; init; } = [TimeSpan.Zero, TimeSpan.FromMilliseconds(10)];

    /// <summary>Records; at least 16.</summary>
    public int Records { get; init; } = 10_000;

    /// <summary>Transactions at a time.</summary>
    public int Clients { get; init; } = 64;

    /// <summary>Silos.</summary>
    public int Silos { get; init; } = 2;

    /// <summary>How long a measurement takes, after a warm-up of a quarter of that. Cold grains have none.</summary>
    public TimeSpan Measured { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Arms of one place take turns of about this length, as many as make up what is measured.</summary>
    public TimeSpan Slice { get; init; } = TimeSpan.FromSeconds(0.5);

    /// <summary>
    /// Ends a measurement after so many transactions instead of by time, without a warm-up; at least 1. For tests.
    /// </summary>
    public long? Transactions { get; init; }

    /// <summary>Of all choices.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>What suits a scale.</summary>
    public static ReconSettings Of(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var whole = new ReconSettings();
        return whole with
        {
            Thetas = scale.Of<IReadOnlyList<double>>([1.5], [0, 0.99, 1.5], whole.Thetas),
            ContentionIndexes = scale.Of<IReadOnlyList<double>>([1], [0.01, 1], whole.ContentionIndexes),
            Policies = scale.Of<IReadOnlyList<string>>(["run", "reserve"], whole.Policies, whole.Policies),
            Storage = scale.Of<IReadOnlyList<TimeSpan>>([TimeSpan.Zero], whole.Storage, whole.Storage),
            Records = scale.Of(200, 1_000, whole.Records),
            Measured = scale.Of(TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(0.3), TimeSpan.FromSeconds(2)),
            Clients = scale.ClientsOr(whole.Clients),
            Transactions = scale.Operations,
            Seed = scale.Seed,
        };
    }
}
