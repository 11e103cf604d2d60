using Polyjuice.Policies;
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
public sealed record TrainingResult(
    PolicyDocument Found, TrialResult Trial, IReadOnlyList<TrialResult> Baselines, IReadOnlyList<SearchPoint> Points, long Evaluations, TimeSpan Elapsed, bool WasEnded)
{
    /// <summary>The best of the tables that were there before.</summary>
    public TrialResult BestBaseline => Baselines.MaxBy(baseline => baseline.Mean)!;

    /// <summary>Those that it does not beat beyond chance; a table that is worth publishing leaves none.</summary>
    public IReadOnlyList<TrialResult> Unbeaten => [.. Baselines.Where(baseline => !Trial.Beats(baseline))];

    /// <summary>Whether it beats them all.</summary>
    public bool IsBetter => Unbeaten.Count == 0;
}
