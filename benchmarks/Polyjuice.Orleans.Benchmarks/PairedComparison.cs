namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Two arms measured in pairs, one right after the other: how much slower the second is, with a confidence interval of 95%.</summary>
/// <param name="Pairs">How many pairs.</param>
/// <param name="Mean">Geometric mean of (second ÷ first).</param>
/// <param name="Low">Lower end of the interval.</param>
/// <param name="High">Upper end.</param>
internal sealed record PairedComparison(int Pairs, double Mean, double Low, double High)
{
    // Student's t, two-sided 95%, by degrees of freedom from 1 on.
    private static readonly double[] s_student =
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045];

    /// <summary>Compares, on the logarithms of the ratios.</summary>
    /// <param name="pairs">First and second of each pair; at least two pairs.</param>
    public static PairedComparison Of(IReadOnlyList<(double First, double Second)> pairs)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pairs.Count, 2);
        double[] logarithms = [.. pairs.Select(pair => Math.Log(pair.Second / pair.First))];
        var mean = logarithms.Average();
        var deviation = Math.Sqrt(logarithms.Sum(one => (one - mean) * (one - mean)) / (logarithms.Length - 1));
        var half = s_student[Math.Min(logarithms.Length - 1, s_student.Length) - 1] * deviation / Math.Sqrt(logarithms.Length);
        return new(pairs.Count, Math.Exp(mean), Math.Exp(mean - half), Math.Exp(mean + half));
    }
}
