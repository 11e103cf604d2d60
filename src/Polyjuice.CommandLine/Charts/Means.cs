namespace Polyjuice.CommandLine;

/// <summary>Means.</summary>
internal static class Means
{
    /// <summary>
    /// The geometric mean of ratios; 0 of nothing. Less than a billionth counts as that, so that one zero is not all.
    /// </summary>
    public static double GeometricMean(this IEnumerable<double> ratios)
    {
        var logarithms = ratios.Select(static ratio => Math.Log(Math.Max(ratio, 1e-9))).ToArray();
        return logarithms.Length == 0 ? 0 : Math.Exp(logarithms.Average());
    }
}
