using System.Globalization;
using System.Net;
using System.Text;

namespace Polyjuice.CommandLine;

/// <summary>A value with its error, for each of a chart's series.</summary>
/// <param name="Name">What they are of.</param>
/// <param name="Values">One for each series, as shares: 0.1 is drawn as +10%.</param>
internal sealed record NamedBars(string Name, IReadOnlyList<(double Value, double Error)> Values);

/// <summary>
/// Bars that lie: a name and a bar for each series below each other, to the left and to the right of nothing.
/// </summary>
internal static class SvgBars
{
    private const int Width = 920;
    private const int PlotLeft = 300;
    private const int Right = 70;
    private const int BarHeight = 11;
    private const int Gap = 8;
    private const int Top = 48;
    private const int Bottom = 8;

    // Of Okabe and Ito's colours, as in SvgChart.
    private static readonly string[] _colours = ["#0072B2", "#D55E00"];

    /// <summary>Draws them, in their order.</summary>
    /// <param name="title">Above the chart.</param>
    /// <param name="series">What the bars of a name are, from top to bottom; at most two.</param>
    /// <param name="bars">At least one.</param>
    public static string Write(string title, IReadOnlyList<string> series, IReadOnlyList<NamedBars> bars)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(bars);
        if (bars.Count == 0) throw new ArgumentException("There is nothing to draw.", nameof(bars));
        var each = (series.Count * BarHeight) + Gap;
        var height = Top + (bars.Count * each) + Bottom;
        var values = bars.SelectMany(bar => bar.Values).ToList();
        var least = Math.Min(0, values.Min(value => value.Value - value.Error));
        var most = Math.Max(0, values.Max(value => value.Value + value.Error));
        var span = Math.Max(most - least, 1e-9);
        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture,
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{Width}\" height=\"{height}\" "
            + $"viewBox=\"0 0 {Width} {height}\" role=\"img\" aria-label=\"{Text(title)}\" "
            + $"font-family=\"sans-serif\" font-size=\"11\">{SvgPage.Style}\n"
            + $"<rect class=\"b\" width=\"100%\" height=\"100%\"/>\n");
        svg.Append(CultureInfo.InvariantCulture,
            $"<text class=\"t\" x=\"8\" y=\"15\" font-weight=\"bold\">{Text(title)}</text>\n");
        for (var s = 0; s < series.Count; s++)
            svg.Append(CultureInfo.InvariantCulture,
                $"<rect x=\"{8 + (s * 300)}\" y=\"24\" width=\"12\" height=\"10\" fill=\"{_colours[s]}\"/>"
                + $"<text class=\"t\" x=\"{26 + (s * 300)}\" y=\"33\">{Text(series[s])}</text>\n");
        svg.Append(CultureInfo.InvariantCulture,
            $"<line class=\"w\" x1=\"{X(0):0.#}\" x2=\"{X(0):0.#}\" y1=\"{Top - 6}\" y2=\"{height - Bottom}\"/>\n");
        for (var i = 0; i < bars.Count; i++)
        {
            var y = Top + (i * each);
            svg.Append(CultureInfo.InvariantCulture,
                $"<text class=\"t\" x=\"8\" y=\"{y + (each / 2)}\">{Text(bars[i].Name)}</text>");
            for (var s = 0; s < series.Count; s++) Bar(bars[i].Values[s], y + (s * BarHeight), _colours[s]);
            svg.Append('\n');
        }

        return svg.Append("</svg>\n").ToString();

        double X(double value) => PlotLeft + ((value - least) / span * (Width - PlotLeft - Right));

        void Bar((double Value, double Error) bar, int y, string colour)
        {
            var (from, to) = (X(Math.Min(0, bar.Value)), X(Math.Max(0, bar.Value)));
            var middle = y + ((BarHeight - 1) / 2.0);
            var label = ChangeText.With(bar.Value, bar.Error);
            svg.Append(CultureInfo.InvariantCulture,
                $"<rect x=\"{from:0.#}\" y=\"{y}\" width=\"{to - from:0.#}\" height=\"{BarHeight - 1}\" "
                + $"fill=\"{colour}\"><title>{label}</title></rect>");
            svg.Append(CultureInfo.InvariantCulture,
                $"<line class=\"w\" x1=\"{X(bar.Value - bar.Error):0.#}\" x2=\"{X(bar.Value + bar.Error):0.#}\" "
                + $"y1=\"{middle:0.#}\" y2=\"{middle:0.#}\"/>");
            svg.Append(CultureInfo.InvariantCulture,
                $"<text class=\"t\" x=\"{Math.Max(to, X(bar.Value + bar.Error)) + 4:0.#}\" y=\"{y + BarHeight - 2}\" "
                + $"font-size=\"10\">{ChangeText.Of(bar.Value)}</text>");
        }
    }

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
