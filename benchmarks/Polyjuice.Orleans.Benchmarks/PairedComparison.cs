namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Two arms measured in pairs, one right after the other: the median of (second ÷ first), with a bootstrapped interval of 95%. The median, because on a machine that others use too single pairs are far off.</summary>
/// <param name="Pairs">How many pairs.</param>
/// <param name="Median">The median of the ratios.</param>
/// <param name="Low">Lower end of the interval.</param>
/// <param name="High">Upper end.</param>
internal sealed record PairedComparison(int Pairs, double Median, double Low, double High)
{
    private const int Resamples = 10_000;

    // Any number will do; a fixed one gives the same interval for the same pairs.
    private const int Seed = 1;

    /// <summary>Compares.</summary>
    /// <param name="pairs">First and second of each pair; at least two pairs.</param>
    public static PairedComparison Of(IReadOnlyList<(double First, double Second)> pairs)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pairs.Count, 2);
        double[] ratios = [.. pairs.Select(pair => pair.Second / pair.First)];
        var random = new Random(Seed);
        var medians = new double[Resamples];
        var sample = new double[ratios.Length];
        for (var i = 0; i < Resamples; i++)
        {
            for (var j = 0; j < sample.Length; j++) sample[j] = ratios[random.Next(ratios.Length)];
            medians[i] = Medians.Of(sample);
        }

        Array.Sort(medians);
        return new(ratios.Length, Medians.Of(ratios), medians[(int)(0.025 * Resamples)], medians[(int)(0.975 * Resamples)]);
    }
}
