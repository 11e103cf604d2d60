using System.Globalization;
using System.Text;

namespace Polyjuice.Benchmarking.Experiments;

/// <summary>Charts below each other, the figures of one panel side by side: one file that needs no other.</summary>
public static class SvgPage
{
    /// <summary>Writes it.</summary>
    /// <param name="points">All points.</param>
    /// <param name="figures">Which figures are drawn, each with its title.</param>
    /// <param name="xLabel">What x is in a panel, and whether it is shown by powers of ten.</param>
    public static string Write(IReadOnlyList<ExperimentPoint> points, IReadOnlyList<(string Figure, string Title)> figures, Func<string, (string Label, bool IsLogarithmic)> xLabel)
    {
        var panels = points.GroupBy(point => point.Panel).ToList();
        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture, $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{figures.Count * SvgChart.Width}\" height=\"{Math.Max(1, panels.Count) * SvgChart.Height}\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        for (var row = 0; row < panels.Count; row++)
        {
            var (label, isLogarithmic) = xLabel(panels[row].Key);
            for (var column = 0; column < figures.Count; column++)
                new SvgChart($"{panels[row].Key}: {figures[column].Title}", label, figures[column].Figure, isLogarithmic).Write(svg, [.. panels[row]], column * SvgChart.Width, row * SvgChart.Height);
        }

        return svg.Append("</svg>\n").ToString();
    }
}
