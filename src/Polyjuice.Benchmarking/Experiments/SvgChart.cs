using System.Globalization;
using System.Net;
using System.Text;

namespace Polyjuice.Benchmarking.Experiments;

/// <summary>Curves of one figure, one for each series, with a bar from the least to the most at each point.</summary>
/// <param name="title">Above it.</param>
/// <param name="xLabel">Below it.</param>
/// <param name="figure">Which figure of the points.</param>
/// <param name="isLogarithmic">Whether x is shown by powers of ten.</param>
internal sealed class SvgChart(string title, string xLabel, string figure, bool isLogarithmic)
{
    public const int Width = 460;
    public const int Height = 300;
    private const int Left = 62;
    private const int Right = 12;
    private const int Top = 48;
    private const int Bottom = 40;

    // Okabe and Ito's colours, which are told apart by all.
    private static readonly string[] _colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

    public void Write(StringBuilder svg, IReadOnlyList<ExperimentPoint> points, int x, int y)
    {
        var drawn = points.Where(point => point.Figures.ContainsKey(figure)).ToList();
        svg.Append(CultureInfo.InvariantCulture, $"<g transform=\"translate({x},{y})\"><text x=\"{Left}\" y=\"16\" font-weight=\"bold\">{Text(title)}</text>");
        if (drawn.Count > 0) Draw(svg, drawn);
        svg.Append("</g>\n");
    }

    private void Draw(StringBuilder svg, List<ExperimentPoint> points)
    {
        var (least, most) = (points.Min(point => Scale(point.X)), points.Max(point => Scale(point.X)));
        var top = Math.Max(points.Max(point => point.Figures[figure].Most), 1e-9) * 1.05;
        double XOf(double value) => Left + ((most > least ? (Scale(value) - least) / (most - least) : 0.5) * (Width - Left - Right));
        double YOf(double value) => Height - Bottom - (value / top * (Height - Top - Bottom));
        for (var i = 0; i <= 4; i++)
        {
            var value = top * i / 4;
            svg.Append(CultureInfo.InvariantCulture, $"<line x1=\"{Left}\" x2=\"{Width - Right}\" y1=\"{YOf(value):0.#}\" y2=\"{YOf(value):0.#}\" stroke=\"#ddd\"/><text x=\"{Left - 6}\" y=\"{YOf(value) + 4:0.#}\" text-anchor=\"end\">{value:G3}</text>");
        }

        foreach (var value in points.Select(point => point.X).Distinct().Order())
            svg.Append(CultureInfo.InvariantCulture, $"<text x=\"{XOf(value):0.#}\" y=\"{Height - Bottom + 15}\" text-anchor=\"middle\">{value:0.####}</text>");
        svg.Append(CultureInfo.InvariantCulture, $"<text x=\"{(Left + Width - Right) / 2}\" y=\"{Height - 8}\" text-anchor=\"middle\">{Text(xLabel)}</text>");
        var legend = Left;
        foreach (var (series, index) in points.GroupBy(point => point.Series).Select((series, index) => (series, index)))
        {
            var colour = _colours[index % _colours.Length];
            var line = series.OrderBy(point => point.X).ToList();
            svg.Append(CultureInfo.InvariantCulture, $"<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{string.Join(' ', line.Select(point => FormattableString.Invariant($"{XOf(point.X):0.#},{YOf(point[figure]):0.#}")))}\"/>");
            foreach (var point in line)
            {
                var spread = point.Figures[figure];
                svg.Append(CultureInfo.InvariantCulture, $"<line x1=\"{XOf(point.X):0.#}\" x2=\"{XOf(point.X):0.#}\" y1=\"{YOf(spread.Least):0.#}\" y2=\"{YOf(spread.Most):0.#}\" stroke=\"{colour}\"/><circle cx=\"{XOf(point.X):0.#}\" cy=\"{YOf(spread.Median):0.#}\" r=\"3\" fill=\"{colour}\"/>");
            }

            svg.Append(CultureInfo.InvariantCulture, $"<text x=\"{legend}\" y=\"34\" fill=\"{colour}\">{Text(series.Key)}</text>");
            legend += 12 + (7 * series.Key.Length);
        }
    }

    private double Scale(double value) => isLogarithmic ? Math.Log10(Math.Max(value, 1e-12)) : value;

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
