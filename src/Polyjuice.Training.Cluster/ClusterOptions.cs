using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Training.Cluster;

/// <summary>
/// The test clusters in which recorded calls are made again, and
/// how long they are measured. Validated when a training begins.
/// </summary>
internal sealed record ClusterOptions
{
    /// <summary>Silos. Default 2; 1 to 16.</summary>
    [Range(1, Testing.PolyjuiceTestClusterOptions.MaxSilos)]
    public int Silos { get; init; } = 2;

    /// <summary>
    /// Clients of the closed loop: each makes the next call when its last one has ended. Default 64; 1 to 100,000.
    /// </summary>
    [Range(1, 100_000)]
    public int Clients { get; init; } = 64;

    /// <summary>How long a message between silos is under way, one way. Default 0; at most 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan NetworkDelay { get; init; }

    /// <summary>How much longer each append to a log takes. Default 0; at most 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan AppendDelay { get; init; }

    /// <summary>How long each table is measured in each round. Default 1 s; 10 ms to 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:00.01", "00:10:00")]
    public TimeSpan Interval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// How long calls are made before that: the limits that a silo finds out have to find theirs. It ends earlier when
    /// a quarter of the calls has been made. Default 500 ms; 0 to 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:10:00")]
    public TimeSpan Warmup { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// How long the calibration measures in all, a third of it under each of three tables. Zero leaves costs as they
    /// are. Default 30 s; at most 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:10:00")]
    public TimeSpan Calibration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// What share of the recorded calls may be left out because they can't be made. Default 0.1; 0 to 1.
    /// </summary>
    [Range(0, 1.0)]
    public double LeftOutMax { get; init; } = 0.1;

    /// <summary>How long clients wait for an answer. Default 10 s; 100 ms to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan ResponseTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Clusters like those of replays.</summary>
    /// <param name="settings">Of the replays.</param>
    public static ClusterOptions Of(Replay.ReplaySettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        return new ClusterOptions
        {
            Silos = settings.Silos,
            Clients = settings.Clients,
            NetworkDelay = TimeSpan.FromMicroseconds(settings.NetworkMicroseconds),
            AppendDelay = TimeSpan.FromMicroseconds(settings.AppendMicroseconds),
        };
    }

    /// <summary>Throws naming the first option that is out of its bounds.</summary>
    /// <exception cref="ValidationException">One is.</exception>
    public void Validate() => Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);
}
