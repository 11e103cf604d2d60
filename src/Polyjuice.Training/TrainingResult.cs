using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Races;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Training;

/// <summary>What a training came to.</summary>
/// <param name="Found">The best table found, whether it is good enough or not.</param>
/// <param name="Trial">How it did on held-out data, with seeds that nothing was chosen by.</param>
/// <param name="Baselines">How the tables did that it must beat, in the same trial.</param>
/// <param name="Points">The search's curve.</param>
/// <param name="Evaluations">Replays of the search.</param>
/// <param name="Elapsed">How long the search took, earlier runs included.</param>
/// <param name="WasEnded">Whether somebody ended it before its budget was used up.</param>
internal sealed record TrainingResult(
    PolicyDocument Found, TrialResult Trial, IReadOnlyList<TrialResult> Baselines, IReadOnlyList<SearchPoint> Points,
    long Evaluations, TimeSpan Elapsed, bool WasEnded)
{
    /// <summary>How the tables did that the search began with, on what it was searched on; the best first.</summary>
    public IReadOnlyList<StartScore> Starts { get; init; } = [];

    /// <summary>The best of the tables that were there before.</summary>
    public TrialResult BestBaseline => Baselines.MaxBy(baseline => baseline.Mean)!;

    /// <summary>Those that it does not beat beyond chance; a table that is worth publishing leaves none.</summary>
    public IReadOnlyList<TrialResult> Unbeaten => [.. Baselines.Where(baseline => !Trial.Beats(baseline))];

    /// <summary>
    /// The best tables of the search, each with a name of its own, for who measures them on a cluster: replays are a
    /// model, and which of the best is best there they often can't tell.
    /// </summary>
    public IReadOnlyList<PolicyDocument> Finalists { get; init; } = [];

    /// <summary>What a race on a cluster has decided; <see langword="null"/> where replays alone decide.</summary>
    public RaceVerdict? Race { get; init; }

    /// <summary>
    /// The recorded calls that the race made; <see langword="null"/> where it had another load, or there was none.
    /// </summary>
    public RecordedCalls? Calls { get; init; }

    /// <summary>Whether it beats them all: on a cluster if it raced there, otherwise in replays.</summary>
    public bool IsBetter => Race?.IsBetter ?? Unbeaten.Count == 0;

    /// <summary>The same, decided by a race on a cluster.</summary>
    /// <param name="race">Of the <see cref="Finalists"/>.</param>
    public TrainingResult DecidedBy(RaceVerdict race)
    {
        ArgumentNullException.ThrowIfNull(race);
        return this with { Race = race, Found = race.Found with { Name = Found.Name } };
    }
}
