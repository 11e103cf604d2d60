using Polyjuice.CommandLine;

namespace Polyjuice.Lab.Reporting;

/// <summary>Rows as curves over the skew: a chart for each setting that was measured, and a curve for each arm.</summary>
internal static class RatesDrawing
{
    private const string Rate = "committed/s";

    /// <summary>Draws what each arm committed a second, with the slowest and the fastest round.</summary>
    /// <param name="rows">What was measured, of any number of runs.</param>
    /// <returns>SVG.</returns>
    /// <exception cref="ArgumentException">There is one skew only, or an arm was measured twice with the same setting.</exception>
    public static string Write(IReadOnlyList<BenchmarkRow> rows)
    {
        if (rows.Select(row => row.Theta).Distinct().Count() < 2) throw new ArgumentException("Curves need at least two skews (--theta).");
        if (rows.GroupBy(row => (PanelOf(row), row.Policy, row.Theta)).FirstOrDefault(cell => cell.Count() > 1) is { } twice)
            throw new ArgumentException($"{twice.Key.Policy} was measured twice with the same setting: give each run a drawing of its own.");
        var points = rows.Select(row => new ExperimentPoint(PanelOf(row), row.Policy, row.Theta, new Dictionary<string, Spread> { [Rate] = RateOf(row) })).ToList();
        return SvgPage.Write(points, [new DrawnFigure(Rate, Rate)], [.. points.Select(point => point.Panel).Distinct().Select(panel => new ExperimentPanel(panel, "skew of the choice of grains (θ)"))]);
    }

    private static Spread RateOf(BenchmarkRow row) => new(row.CommittedPerSecond, row.CommittedPerSecondMin, row.CommittedPerSecondMax);

    private static string PanelOf(BenchmarkRow row)
    {
        var delays = string.Concat(
            row.NetworkMs > 0 ? $", messages +{Figures.Theta(row.NetworkMs)} ms" : "",
            row.AppendMs > 0 ? $", appends +{Figures.Theta(row.AppendMs)} ms" : "");
        return $"{row.Workload}, {(row.Silos == 1 ? "1 silo" : $"{row.Silos} silos")}, logs in {row.Logs}{delays}";
    }
}
