using System.Globalization;
using System.Net;
using System.Text;

namespace Polyjuice.Lab.Experiments;

/// <summary>
/// Results of experiments as one page: sentences, charts and tables,
/// readable without a network, light or dark as the reader has it.
/// </summary>
internal static class HtmlReport
{
    private const string Style =
        "body{font:15px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222;background:#fff}" +
        "table{border-collapse:collapse;font-size:13px;margin:.5em 0}td,th{padding:.15em .6em;border-bottom:1px solid "
            +
            "#ccc;text-align:right}td:first-child,th:first-child{text-align:left}.small{color:#666;font-size:13px}.bad{color:#b00020;font-weight:bold}.good{color:#006b3c}.tag{border:1px solid;border-radius:4px;padding:0 .4em;font-size:12px}"
                +
                "svg{max-width:100%;height:auto}.wide{overflow-x:auto}" +
                "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}td,th{border-color:#444}.small{color:#999}.bad{color:#ff7b89}.good{color:#6fd7a4}a{color:#8ab4f8}}";

    /// <summary>Values of x beside each other in a table, at most; beyond, a chart says more.</summary>
    private const int ColumnsMax = 12;

    /// <summary>Writes the page.</summary>
    /// <param name="results">In the order in which they are shown.</param>
    public static string Write(IReadOnlyList<ExperimentResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        var html = new StringBuilder();
        html.Append(
            CultureInfo.InvariantCulture,
            $"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            + $"content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>Polyjuice: "
            + $"experiments</title><style>{Style}</style></head><body>\n<h1>Polyjuice: experiments</h1>\n<p>Compare "
            + $"arms of one chart, which were measured in turn, and not charts with each other. A line at a point goes "
            + $"from the least to the most of the rounds.</p>\n<ul>");
        foreach (var result in results)
        {
            var failed = result.Findings.Count(finding => finding.Holds == false);
            html.Append(
                CultureInfo.InvariantCulture,
                $"<li><a href=\"#{Text(result.Experiment)}\">{Text(result.Experiment)}</a>{(result.Failure is not null ? " <span class=\"bad\">failed</span>" : failed > 0 ? $" <span class=\"bad\">{failed} claim(s) that do not hold</span>" : "")}</li>");
        }

        html.Append("</ul>\n");
        foreach (var result in results) Section(html, result);
        return html.Append("</body></html>\n").ToString();
    }

    private static void Section(StringBuilder html, ExperimentResult result)
    {
        html.Append(
            CultureInfo.InvariantCulture,
            $"<h2 id=\"{Text(result.Experiment)}\">{Text(result.Experiment)}{(result.IsSimulated ? " <span class=\"tag\">simulated</span>" : "")} <span class=\"tag\">{Text(result.Scale)}</span></h2>\n<p>{Text(result.Description)}</p>\n");
        if (result.Failure is { } failure)
            html.Append(CultureInfo.InvariantCulture, $"<p class=\"bad\">Broken off: {Text(failure)}</p>\n");
        else if (!result.IsComplete) html.Append("<p class=\"bad\">Ended early: not all arms were measured.</p>\n");
        html.Append(
            CultureInfo.InvariantCulture,
            $"<p class=\"small\">{Text(result.Machine)}; commit {Text(result.Commit)}; "
            + $"{result.MeasuredAt:yyyy-MM-dd HH:mm} UTC, {result.Seconds:0} s; "
            + $"{Text(string.Join("; ", result.Settings.Select(setting => $"{setting.Key} {setting.Value}")))}</p>\n");
        if (result.Findings.Count > 0)
            html.Append(CultureInfo.InvariantCulture, $"<ul>{string.Concat(result.Findings.Select(Item))}</ul>\n");
        if (result.Points.Count == 0) return;
        html.Append(
            CultureInfo.InvariantCulture,
            $"<div class=\"wide\">{SvgPage.Write(result.Points, result.Drawn, result.Panels)}</div>\n<details><summary>Figures</summary>\n");
        foreach (var panel in result.Points.GroupBy(point => point.Panel))
        {
            foreach (var figure in result.Drawn) Table(html, result, [.. panel], figure);
        }

        html.Append("</details>\n");
    }

    private static void Table(
        StringBuilder html, ExperimentResult result, IReadOnlyList<ExperimentPoint> points, DrawnFigure figure)
    {
        var places = points.Where(point => point.Figures.ContainsKey(figure.Figure)).Select(point => point.X).Distinct()
            .Order().ToList();
        if (places.Count is 0 or > ColumnsMax) return;
        var panel = points[0].Panel;
        var label = result.Panels.FirstOrDefault(p => p.Name == panel)?.XLabel ?? "";
        html.Append(
            CultureInfo.InvariantCulture,
            $"<div class=\"wide\"><table><caption>{Text($"{panel}: {figure.Title}")}</caption><tr><th>{Text(label)}</th>{string.Concat(places.Select(x => FormattableString.Invariant($"<th>{x:0.####}</th>")))}</tr>");
        foreach (var series in points.GroupBy(point => point.Series))
            html.Append(
                CultureInfo.InvariantCulture,
                $"<tr><td>{Text(series.Key)}</td>{string.Concat(places.Select(x => Cell(series.FirstOrDefault(point => point.X == x), figure.Figure)))}</tr>");
        html.Append("</table></div>\n");
    }

    private static string Cell(ExperimentPoint? point, string figure)
    {
        if (point is null || !point.Figures.TryGetValue(figure, out var spread)) return "<td>–</td>";
        var range = spread.Most > spread.Least
            ? $" <span class=\"small\">({Number(spread.Least)} … {Number(spread.Most)})</span>"
            : "";
        return $"<td>{Number(spread.Median)}{range}</td>";
    }

    private static string Item(Finding finding) => finding.Holds switch
    {
        true => $"<li><span class=\"good\">Holds:</span> {Text(finding.Text)}</li>",
        false => $"<li><span class=\"bad\">Does not hold:</span> {Text(finding.Text)}</li>",
        _ => $"<li>{Text(finding.Text)}</li>",
    };

    private static string Number(double value) =>
        value.ToString(Math.Abs(value) >= 100 ? "N0" : "0.###", CultureInfo.InvariantCulture);

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
