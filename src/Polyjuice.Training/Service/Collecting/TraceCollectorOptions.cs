using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Training.Service.Collecting;

/// <summary>How traces are collected.</summary>
internal sealed record TraceCollectorOptions
{
    /// <summary>
    /// A silo's last file that has not grown for so long is taken to be done: the silo has died, or has nothing to do.
    /// Longer than <see cref="Tracing.TraceRecorderOptions.FilePeriodMicroseconds"/>, so that it does not grow after
    /// that. Default 2 h; 10 s to 30 days.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:10", "30.00:00:00")]
    public TimeSpan QuietAfter { get; init; } = TimeSpan.FromHours(2);

    /// <summary>
    /// Within which transactions are in conflict that access the same participant (<see cref="ConflictRate"/>): about
    /// as long as one is under way, in microseconds. Default 10,000; 1 to an hour.
    /// </summary>
    [Range(1L, 3_600_000_000L)]
    public long ConflictIntervalMicroseconds { get; init; } = 10_000;

    /// <summary>
    /// A window of fewer transactions counts as if nothing had been recorded. Default 200; 1 to 1,000,000.
    /// </summary>
    [Range(1, 1_000_000)]
    public int TransactionsMin { get; init; } = 200;

    /// <summary>
    /// Files that were read, and have not changed for so long, are deleted. <see langword="null"/>, and so by default,
    /// deletes nothing; otherwise not below 1 min.
    /// </summary>
    public TimeSpan? KeepFor { get; init; }

    /// <summary>
    /// Whether calls and states are kept where they were recorded, for who makes calls again. They may be personal
    /// data. Default: they are dropped as they are read.
    /// </summary>
    public bool KeepsCalls { get; init; }

    /// <summary>Throws naming the first option that is out of its bounds.</summary>
    /// <exception cref="ValidationException">One is.</exception>
    public void Validate()
    {
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);
        if (KeepFor < TimeSpan.FromMinutes(1))
            throw new ValidationException(
                $"{nameof(KeepFor)} is {KeepFor}, and is at least a minute; leave it out to keep all.");
    }
}
