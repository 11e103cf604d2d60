using Polyjuice.Policies;

namespace Polyjuice.Training.Races;

/// <summary>What a race on a cluster has decided about the tables that a search has found. Immutable.</summary>
/// <param name="Standings">Of all, the best first.</param>
/// <param name="Found">The best of those that were found.</param>
/// <param name="Best">The best of those that were there before.</param>
/// <param name="Rates">
/// What both made, in rounds of their own. The found one was not chosen by them; the best of the others is the better
/// of two in them. Empty where the race itself has shown that the found one makes less.
/// </param>
/// <param name="Gain">How many times as much the found one makes.</param>
internal sealed record RaceVerdict(
    IReadOnlyList<RaceStanding> Standings,
    PolicyDocument Found,
    PolicyDocument Best,
    IReadOnlyList<(double Found, double Best)> Rates,
    RateRatio Gain)
{
    /// <summary>The confidence of <see cref="Gain"/>'s interval.</summary>
    public const double Confidence = 0.95;

    /// <summary>Whether somebody has ended it before all rounds were over; then it is of those that were.</summary>
    public bool WasEnded { get; init; }

    /// <summary>Whether the found one makes more, beyond chance.</summary>
    public bool IsBetter => Rates.Count > 0 && Gain.Low > 1;

    /// <summary>What the found one made in the rounds that count; 0 without any.</summary>
    public double FoundRate => Rates.Count == 0 ? 0 : Rates.Average(static rate => rate.Found);

    /// <summary>What the best one that was there made in them.</summary>
    public double BestRate => Rates.Count == 0 ? 0 : Rates.Average(static rate => rate.Best);
}
