using System.Globalization;
using System.Net;
using System.Text;

namespace Polyjuice.CommandLine;

/// <summary>
/// One figure of the points of one panel: curves or bars, one for
/// each series, with a line from the least to the most at each point.
/// </summary>
/// <param name="title">Above it.</param>
/// <param name="panel">What x is, and how it is drawn.</param>
/// <param name="figure">Which figure of the points.</param>
internal sealed class SvgChart(string title, ExperimentPanel panel, string figure)
{
    public const int Width = 460;
    private const int PlotHeight = 212;
    private const int Left = 62;
    private const int Right = 12;
    private const int TitleHeight = 22;
    private const int LegendRow = 15;
    private const int Bottom = 40;
    private const double CharacterWidth = 6.6;

    /// <summary>Labels of x beside each other, at most.</summary>
    private const int XLabelsMax = 10;

    // Okabe and Ito's colours, which are told apart by all, without the two
    // that a light or a dark page swallows; beyond them lines are dashed.
    private static readonly string[] _colours =
    [
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A6D3B"
    ];
    private static readonly string[] _dashes = ["", "6 3", "2 3"];

    /// <summary>How high it is with a legend for so many series.</summary>
    public static int HeightOf(IReadOnlyList<ExperimentPoint> points) =>
        TitleHeight + (LegendRows(SeriesOf(points)) * LegendRow) + PlotHeight + Bottom;

    public void Write(StringBuilder svg, IReadOnlyList<ExperimentPoint> points, int x, int y)
    {
        svg.Append(
            CultureInfo.InvariantCulture,
            $"<g transform=\"translate({x},{y})\"><text class=\"t\" x=\"{Left}\" y=\"15\" "
            + $"font-weight=\"bold\">{Text(title)}</text>");
        var series = SeriesOf(points);
        Legend(svg, series);
        var drawn = points.Where(point => point.Figures.ContainsKey(figure)).ToList();
        if (drawn.Count > 0) Draw(svg, drawn, series, TitleHeight + (LegendRows(series) * LegendRow));
        svg.Append("</g>\n");
    }

    private static List<string> SeriesOf(IReadOnlyList<ExperimentPoint> points) =>
        [.. points.Select(point => point.Series).Distinct()];

    private static int LegendRows(List<string> series) => Places(series).LastOrDefault().Row + 1;

    private static IEnumerable<(string Name, double X, int Row)> Places(List<string> series)
    {
        double x = Left;
        var row = 0;
        foreach (var name in series)
        {
            var width = 16 + (CharacterWidth * name.Length);
            if (x + width > Width - Right && x > Left) (x, row) = (Left, row + 1);
            yield return (name, x, row);
            x += width + 8;
        }
    }

    private static void Legend(StringBuilder svg, List<string> series)
    {
        foreach (var (name, x, row) in Places(series))
        {
            var y = TitleHeight + (row * LegendRow) + 9;
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<line x1=\"{x:0.#}\" x2=\"{x + 12:0.#}\" y1=\"{y - 4}\" y2=\"{y - 4}\" stroke-width=\"3\" "
                + $"{Stroke(series.IndexOf(name))}/><text class=\"t\" x=\"{x + 15:0.#}\" "
                + $"y=\"{y}\">{Text(name)}</text>");
        }
    }

    private void Draw(StringBuilder svg, List<ExperimentPoint> points, List<string> series, int top)
    {
        var scale = new ChartScale(
            panel.Kind,
            [.. points.Select(point => point.X).Distinct().Order()],
            points.Max(point => point.Figures[figure].Most),
            new(Left, Width - Right, top, top + PlotHeight));
        foreach (var value in scale.Ticks)
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<line class=\"g\" x1=\"{Left}\" x2=\"{Width - Right}\" y1=\"{scale.Y(value):0.#}\" "
                + $"y2=\"{scale.Y(value):0.#}\"/><text class=\"t\" x=\"{Left - 6}\" y=\"{scale.Y(value) + 4:0.#}\" "
                + $"text-anchor=\"end\">{value:#,0.###}</text>");
        foreach (var value in scale.Places.Where((_, i) => i % ((scale.Places.Count / XLabelsMax) + 1) == 0))
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<text class=\"t\" x=\"{scale.X(value):0.#}\" y=\"{top + PlotHeight + 15}\" "
                + $"text-anchor=\"middle\">{value:0.####}</text>");
        svg.Append(
            CultureInfo.InvariantCulture,
            $"<text class=\"t\" x=\"{(Left + Width - Right) / 2}\" y=\"{top + PlotHeight + 32}\" "
            + $"text-anchor=\"middle\">{Text(panel.XLabel)}</text>");
        foreach (var mark in panel.Marks.Where(mark => mark.X >= scale.Places[0] && mark.X <= scale.Places[^1]))
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<line class=\"g\" stroke-dasharray=\"3 2\" x1=\"{scale.X(mark.X):0.#}\" x2=\"{scale.X(mark.X):0.#}\" "
                + $"y1=\"{top}\" y2=\"{top + PlotHeight}\"><title>{Text(mark.Label)}</title></line>");
        foreach (var group in points.GroupBy(point => point.Series))
        {
            var (index, line) = (series.IndexOf(group.Key), group.OrderBy(point => point.X).ToList());
            if (panel.Kind == ChartKind.Bars) Bars(svg, line, scale, index, series.Count);
            else Curve(svg, line, scale, index);
        }
    }

    private void Curve(StringBuilder svg, List<ExperimentPoint> line, ChartScale scale, int index)
    {
        svg.Append(
            CultureInfo.InvariantCulture,
            $"<polyline fill=\"none\" stroke-width=\"{(panel.Kind == ChartKind.Time ? 1.3 : 2)}\" {Stroke(index)} "
            + $"points=\"{string.Join(' ', line.Select(point => FormattableString.Invariant($"{scale.X(point.X):0.#},{scale.Y(point[figure]):0.#}")))}\"/>");
        if (panel.Kind == ChartKind.Time) return;
        foreach (var point in line)
        {
            Whisker(svg, point, scale, scale.X(point.X), Stroke(index));
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<circle cx=\"{scale.X(point.X):0.#}\" cy=\"{scale.Y(point[figure]):0.#}\" r=\"3\" "
                + $"fill=\"{Colour(index)}\"/>");
        }
    }

    private void Bars(StringBuilder svg, List<ExperimentPoint> line, ChartScale scale, int index, int count)
    {
        var width = scale.PlaceWidth * 0.85 / count;
        foreach (var point in line)
        {
            var x = scale.X(point.X) + ((index - (count / 2.0)) * width);
            var y = scale.Y(point[figure]);
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<rect x=\"{x:0.#}\" y=\"{y:0.#}\" width=\"{width * 0.92:0.#}\" height=\"{scale.Y(0) - y:0.#}\" "
                + $"fill=\"{Colour(index)}\" "
                + $"fill-opacity=\"{1 - (0.35 * (index / _colours.Length)):0.##}\"><title>{Text(point.Series)} "
                + $"{point[figure]:#,0.###}</title></rect>");
            Whisker(svg, point, scale, x + (width * 0.46), "class=\"w\"");
        }
    }

    private void Whisker(StringBuilder svg, ExperimentPoint point, ChartScale scale, double x, string stroke)
    {
        var spread = point.Figures[figure];
        if (spread.Most > spread.Least)
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<line x1=\"{x:0.#}\" x2=\"{x:0.#}\" y1=\"{scale.Y(spread.Least):0.#}\" "
                + $"y2=\"{scale.Y(spread.Most):0.#}\" {stroke}/>");
    }

    private static string Colour(int index) => _colours[index % _colours.Length];

    private static string Stroke(int index) =>
        _dashes[index / _colours.Length % _dashes.Length] is { Length: > 0 } dash
            ? $"stroke=\"{Colour(index)}\" stroke-dasharray=\"{dash}\""
            : $"stroke=\"{Colour(index)}\"";

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
