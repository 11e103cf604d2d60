using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Testing;

/// <summary>How a workload is run. Validated when it starts, with the option's name.</summary>
public sealed class WorkloadOptions
{
    /// <summary>
    /// Clients, each of which makes its next call when the last one has ended. Default 8; 1 to 10,000.
    /// </summary>
    [Range(1, 10_000)]
    public int Clients { get; set; } = 8;

    /// <summary>
    /// Calls of all clients together; <see langword="null"/> for no
    /// such bound. Default 1,000, unless another bound is set; 1 or more.
    /// </summary>
    [Range(1, long.MaxValue)]
    public long? Calls { get; set; }

    /// <summary>
    /// Committed calls of all clients together, after which no other one begins; <see langword="null"/> for no such
    /// bound. Default: none; 1 or more. Under faults, what must have happened for the run to show anything. Set
    /// <see cref="Time"/>, too, for a cluster in which nothing commits.
    /// </summary>
    [Range(1, long.MaxValue)]
    public long? Commits { get; set; }

    /// <summary>
    /// How long clients begin calls; <see langword="null"/> for no such bound. Default: none; at most a day.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "1.00:00:00")]
    public TimeSpan? Time { get; set; }

    /// <summary>
    /// What clients' random numbers are drawn from. The same seed gives each client the same choices; in which order
    /// those of several clients meet, real time decides. Default 1.
    /// </summary>
    public int Seed { get; set; } = 1;
}
