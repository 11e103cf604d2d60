using Polyjuice.Policies;

namespace Polyjuice.Training.Races;

/// <summary>How one table stands in a race. Immutable.</summary>
/// <param name="Table">Which.</param>
/// <param name="Rates">What it made in each round in which it was measured, from the first one on.</param>
/// <param name="IsOut">Whether it is out.</param>
internal sealed record RaceStanding(PolicyDocument Table, IReadOnlyList<double> Rates, bool IsOut)
{
    /// <summary>The geometric mean of what it made; 0 if it was not measured.</summary>
    public double Mean => Rates.Count == 0 ? 0 : Math.Exp(Rates.Average(static rate => Math.Log(Math.Max(rate, 1e-9))));

    /// <summary>How many times as much it makes as another one, in the rounds of both.</summary>
    /// <param name="other">Which; at least one round of each.</param>
    /// <param name="confidence">Of the interval.</param>
    public RateRatio Over(RaceStanding other, double confidence)
    {
        ArgumentNullException.ThrowIfNull(other);
        var rounds = Math.Min(Rates.Count, other.Rates.Count);
        return RateRatio.Of([.. Rates.Take(rounds)], [.. other.Rates.Take(rounds)], confidence);
    }
}
