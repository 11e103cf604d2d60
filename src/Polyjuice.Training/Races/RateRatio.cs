using MathNet.Numerics.Distributions;

namespace Polyjuice.Training.Races;

/// <summary>
/// How many times as much one table makes as another one, by rounds in which both were measured: the geometric mean of
/// the rounds' ratios, and its confidence interval by Student's t on their logarithms. What changes from one round to
/// the next, such as the speed of a machine that others use, is the same for both. Immutable.
/// </summary>
/// <param name="Ratio">The mean.</param>
/// <param name="Low">The interval's lower end; 0 where one round alone says nothing of it.</param>
/// <param name="High">Its upper end.</param>
internal readonly record struct RateRatio(double Ratio, double Low, double High)
{
    // Where a table commits nothing in a round, the logarithm needs a figure: far below what any other makes.
    private const double Nothing = 0.01;

    /// <summary>Compares.</summary>
    /// <param name="own">What one has made, round by round.</param>
    /// <param name="other">What the other has made in the same rounds.</param>
    /// <param name="confidence">Of the interval, two-sided; above 0 and below 1.</param>
    /// <exception cref="ArgumentException">They are not as many, or there is none.</exception>
    public static RateRatio Of(IReadOnlyList<double> own, IReadOnlyList<double> other, double confidence)
    {
        ArgumentNullException.ThrowIfNull(own);
        ArgumentNullException.ThrowIfNull(other);
        if (own.Count != other.Count || own.Count == 0)
            throw new ArgumentException(
                $"{own.Count} rounds can't be compared with {other.Count}; at least one of each.", nameof(other));
        var logs = own.Zip(
            other, static (mine, theirs) => Math.Log(Math.Max(mine, Nothing) / Math.Max(theirs, Nothing))).ToArray();
        var mean = logs.Average();
        if (logs.Length == 1) return new(Math.Exp(mean), 0, double.PositiveInfinity);
        var deviation = Math.Sqrt(logs.Sum(log => (log - mean) * (log - mean)) / (logs.Length - 1));
        var quantile = StudentT.InvCDF(0, 1, logs.Length - 1, 1 - ((1 - confidence) / 2));
        var half = quantile * deviation / Math.Sqrt(logs.Length);
        return new(Math.Exp(mean), Math.Exp(mean - half), Math.Exp(mean + half));
    }
}
