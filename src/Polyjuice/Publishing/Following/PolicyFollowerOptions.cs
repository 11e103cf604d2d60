using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Publishing.Following;

/// <summary>How a process follows what is published. Validated at start, with the option's name.</summary>
public class PolicyFollowerOptions : IValidatableObject
{
    /// <summary>
    /// How often the place is looked at, in any case; where it can give notice
    /// of a new entry, it is looked at then too. Default 5 s; 100 ms to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "01:00:00")]
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long a release is watched after it was taken, and taken back by itself if it
    /// is worse than the table before it. Default 30 s; 0 takes it without, otherwise
    /// <see cref="Settle"/> and at least 5 times <see cref="Interval"/> to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan Trial { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How much of the time before a release it is compared with, at
    /// most. Default 30 s; 5 times <see cref="Interval"/> to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.500", "01:00:00")]
    public TimeSpan Baseline { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The time by which commits and aborts are counted and compared. Default 1 s; 100 ms to 1 min.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:01:00")]
    public TimeSpan Interval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// How much of the time after a swap does not count: transactions in flight end under the table that they began
    /// with, and what silos learn by themselves they learn anew. Default 2 s; 0 to 1 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan Settle { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// The share by which the median second may commit less than before. Default
    /// 0.2; 0.05 to 0.95. Twice as much, to 0.9, ends a trial before its time.
    /// </summary>
    [Range(0.05, 0.95)]
    public double CommitDropMax { get; set; } = 0.2;

    /// <summary>
    /// The factor by which transactions may take longer for each that commits, if no more commit. Default 2; 1.1 to
    /// 100. Twice as much ends a trial before its time.
    /// </summary>
    [Range(1.1, 100.0)]
    public double TimeRiseMax { get; set; } = 2;

    /// <summary>
    /// How many transactions must have committed in the time before for a comparison. Default 100; 1 to 1,000,000.
    /// </summary>
    [Range(1, 1_000_000)]
    public int CommitsMin { get; set; } = 100;

    /// <summary>Throws <see cref="ValidationException"/> naming the first option that is out of its bounds.</summary>
    internal void Validate() =>
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);

    /// <inheritdoc/>
    public virtual IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (Trial > TimeSpan.Zero && Trial < Settle + (TrialRule.IntervalsMin * Interval))
            yield return new ValidationResult(
                $"{nameof(Trial)} is {Trial}, less than {nameof(Settle)} and {TrialRule.IntervalsMin} times "
                + $"{nameof(Interval)} ({Settle + (TrialRule.IntervalsMin * Interval)}), so nothing could be judged. "
                + "Make it longer, or 0 to do without.",
                [nameof(Trial)]);
        if (Baseline < TrialRule.IntervalsMin * Interval)
            yield return new ValidationResult(
                $"{nameof(Baseline)} is {Baseline}, less than {TrialRule.IntervalsMin} times {nameof(Interval)}.",
                [nameof(Baseline)]);
    }
}
