using Polyjuice.CommandLine;

namespace Polyjuice.Lab.Reporting;

/// <summary>
/// Rows as curves over the skew: a chart for each setting that was measured, and a curve for each arm.
/// </summary>
internal static class RatesDrawing
{
    private const string Rate = "committed/s";

    /// <summary>Draws what each arm committed a second, with the slowest and the fastest round.</summary>
    /// <param name="rows">What was measured, of any number of runs.</param>
    /// <returns>SVG.</returns>
    /// <exception cref="ArgumentException">
    /// There is one skew only, or an arm was measured twice with the same setting.
    /// </exception>
    public static string Write(IReadOnlyList<BenchmarkRow> rows)
    {
        if (rows.Select(row => row.Theta).Distinct().Count() < 2)
            throw new ArgumentException("Curves need at least two skews (--theta).");
        if (rows.GroupBy(row => (PanelOf(row), row.Policy, row.Theta))
            .FirstOrDefault(cell => cell.Count() > 1) is { } twice)
        {
            throw new ArgumentException(
                $"{twice.Key.Policy} was measured twice with the same setting: give each run a drawing of its own.");
        }

        var points = rows.Select(row => new ExperimentPoint(PanelOf(row), row.Policy, row.Theta, FiguresOf(row)))
            .ToList();
        var panels = points.Select(point => point.Panel).Distinct()
            .Select(panel => new ExperimentPanel(panel, "skew of the choice of grains (θ)"));
        return SvgPage.Write(points, [new DrawnFigure(Rate, Rate)], [.. panels]);
    }

    private static Dictionary<string, Spread> FiguresOf(BenchmarkRow row) =>
        new() { [Rate] = new(row.CommittedPerSecond, row.CommittedPerSecondMin, row.CommittedPerSecondMax) };

    private static string PanelOf(BenchmarkRow row)
    {
        List<string> parts = [row.Workload, SettingText.Silos(row.Silos), $"logs in {row.Logs}"];
        if (row.NetworkMs > 0) parts.Add(SettingText.Messages(row.NetworkMs));
        if (row.AppendMs > 0) parts.Add(SettingText.Appends(row.AppendMs));
        return string.Join(", ", parts);
    }
}
