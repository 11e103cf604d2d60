using System.Globalization;
using System.Text;

namespace Polyjuice.CommandLine;

/// <summary>
/// Charts below each other, the figures of one panel side by side:
/// one file that needs no other, light or dark as the reader has it.
/// </summary>
internal static class SvgPage
{
    // Within a page of HTML these rules are the page's, too; so the names are short, and the same wherever a chart is.
    internal const string Style =
        "<style>.t{fill:#222}.g{stroke:#ddd}.w{stroke:#222}.b{fill:#fff}@media(prefers-color-scheme:dark){.t{fill:#ddd}.g{stroke:#444}.w{stroke:#ddd}.b{fill:#181a1b}}</style>";

    /// <summary>Draws points.</summary>
    /// <param name="points">All points.</param>
    /// <param name="drawn">Which figures are drawn, each with its title.</param>
    /// <param name="panels">What x is.</param>
    public static string Write(
        IReadOnlyList<ExperimentPoint> points, IReadOnlyList<DrawnFigure> drawn, IReadOnlyList<ExperimentPanel> panels)
    {
        var charts = new StringBuilder();
        var (y, columns) = (0, 1);
        foreach (var group in points.GroupBy(point => point.Panel).OrderBy(group => Place(group.Key)))
        {
            var panel = panels.FirstOrDefault(p => p.Name == group.Key) ?? new ExperimentPanel(group.Key, "");
            List<ExperimentPoint> own = [.. group];
            var column = 0;
            foreach (var figure in drawn.Where(figure => own.Exists(point => point.Figures.ContainsKey(figure.Figure))))
                new SvgChart($"{panel.Name}: {figure.Title}", panel, figure.Figure).Write(
                    charts, own, column++ * SvgChart.Width, y);
            if (column == 0) continue;
            columns = Math.Max(columns, column);
            y += SvgChart.HeightOf(own);
        }

        return string.Create(
            CultureInfo.InvariantCulture,
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{columns * SvgChart.Width}\" "
            + $"height=\"{Math.Max(1, y)}\" font-family=\"sans-serif\" font-size=\"11\">{Style}\n<rect class=\"b\" "
            + $"width=\"100%\" height=\"100%\"/>\n{charts}</svg>\n");

        // Those that are not known come last.
        int Place(string name) => panels.TakeWhile(panel => panel.Name != name).Count();
    }
}
