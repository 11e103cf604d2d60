namespace Polyjuice.CommandLine;

/// <summary>Medians.</summary>
internal static class Medians
{
    /// <summary>The middle value, or the mean of the two middle values; 0 of nothing.</summary>
    public static double Median(this IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted.Length switch
        {
            0 => 0,
            _ when sorted.Length % 2 == 1 => sorted[sorted.Length / 2],
            _ => (sorted[(sorted.Length / 2) - 1] + sorted[sorted.Length / 2]) / 2,
        };
    }
}
