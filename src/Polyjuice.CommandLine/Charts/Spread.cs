
namespace Polyjuice.CommandLine;

/// <summary>A figure over all rounds.</summary>
/// <param name="Median">The middle one.</param>
/// <param name="Least">The least.</param>
/// <param name="Most">The most.</param>
internal sealed record Spread(double Median, double Least, double Most)
{
    /// <summary>Of some values, at least one.</summary>
    public static Spread Of(IReadOnlyList<double> values) =>
        new(Round(values.Median()), Round(values.Min()), Round(values.Max()));

    private static double Round(double value) => Math.Round(value, 4);
}
