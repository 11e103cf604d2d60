using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>What one slice of load has shown.</summary>
/// <param name="Rate">Calls a second.</param>
/// <param name="Cost">Processor time of a call, in microseconds.</param>
internal readonly record struct Slice(double Rate, double Cost)
{
    /// <summary>As one line between processes.</summary>
    public string ToLine() => string.Create(CultureInfo.InvariantCulture, $"{Rate:R} {Cost:R}");

    /// <summary>The median of each.</summary>
    public static Slice MedianOf(IReadOnlyCollection<Slice> slices) => new(Medians.Of([.. slices.Select(slice => slice.Rate)]), Medians.Of([.. slices.Select(slice => slice.Cost)]));

    /// <summary>Reads <see cref="ToLine"/>.</summary>
    /// <exception cref="FormatException">It is no such line.</exception>
    public static Slice Parse(string line)
    {
        var parts = line.Split(' ');
        if (parts.Length != 2) throw new FormatException($"'{line}' is not what a slice has shown.");
        return new(double.Parse(parts[0], CultureInfo.InvariantCulture), double.Parse(parts[1], CultureInfo.InvariantCulture));
    }
}
