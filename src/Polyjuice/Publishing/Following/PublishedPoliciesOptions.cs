using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// How a silo follows what is published, and whose releases it takes. Validated at start, with the option's name.
/// </summary>
public sealed class PublishedPoliciesOptions : IValidatableObject
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

    /// <summary>
    /// Public keys (PEM, <c>BEGIN PUBLIC KEY</c>) of those who may publish. With any
    /// key here or in <see cref="RollbackKeys"/>, what none of them has signed is
    /// passed over. Default: none, so that whoever may write to the place may publish.
    /// </summary>
    public IList<string> PublisherKeys { get; } = [];

    /// <summary>Public keys (PEM) of those who may only take a release back: the silos' own. Default: none.</summary>
    public IList<string> RollbackKeys { get; } = [];

    /// <summary>
    /// The private key (PEM, <c>BEGIN PRIVATE KEY</c>) that this silo signs its rollbacks with. A secret: take it from
    /// where secrets are kept. Where keys are needed and this is <see langword="null"/>, as by default, a release that
    /// turns out worse is put back at this silo alone, and the log says so.
    /// </summary>
    public string? SigningKey { get; set; }

    /// <summary>Whose entries count, by the keys.</summary>
    /// <exception cref="ArgumentException">A key is none.</exception>
    internal PolicyTrust Trust =>
        new(PublisherKeys.Select(PolicyVerificationKey.Parse), RollbackKeys.Select(PolicyVerificationKey.Parse));

    /// <summary>What rollbacks are signed with.</summary>
    /// <exception cref="ArgumentException">It is no private key.</exception>
    internal PolicySigningKey? Key => SigningKey is { } pem ? PolicySigningKey.Parse(pem) : null;

    /// <inheritdoc/>
    IEnumerable<ValidationResult> IValidatableObject.Validate(ValidationContext validationContext) =>
        [.. Times(), .. Keys()];

    /// <summary>Throws <see cref="ValidationException"/> naming the first option that is out of its bounds.</summary>
    internal void Validate() =>
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);

    private IEnumerable<ValidationResult> Times()
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

    private List<ValidationResult> Keys()
    {
        var results = new List<ValidationResult>();
        foreach (var (name, keys) in new[]
        {
            (nameof(PublisherKeys), PublisherKeys), (nameof(RollbackKeys), RollbackKeys)
        })
        {
            for (var i = 0; i < keys.Count; i++)
            {
                if (Problem(keys[i], static pem => PolicyVerificationKey.Parse(pem)) is { } problem)
                    results.Add(new($"{name}[{i}]: {problem}", [name]));
            }
        }

        if (SigningKey is { } key && Problem(key, static pem => PolicySigningKey.Parse(pem)) is { } wrong)
            results.Add(new($"{nameof(SigningKey)}: {wrong}", [nameof(SigningKey)]));
        if (RollbackKeys.Count > 0 && PublisherKeys.Count == 0)
            results.Add(
                new(
                    $"{nameof(RollbackKeys)} are given, and no {nameof(PublisherKeys)}, so nobody could publish.",
                    [nameof(PublisherKeys)]));
        if (results.Count == 0 && Key is { } own && !Trust.Accepts(own.Verification, isRelease: false))
            results.Add(
                new(
                    $"{nameof(SigningKey)} is key {own.Verification.Id}, which is neither in {nameof(RollbackKeys)} "
                    + $"nor in {nameof(PublisherKeys)}, so what it signs would not count.",
                    [nameof(SigningKey)]));
        return results;
    }

    private static string? Problem(string pem, Action<string> parse)
    {
        try
        {
            parse(pem);
            return null;
        }
        catch (ArgumentException exception)
        {
            return exception.Message;
        }
    }
}
