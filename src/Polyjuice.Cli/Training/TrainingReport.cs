using System.Globalization;
using System.Net;
using System.Text;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Cli.Training;

/// <summary>A training as one page: the searches' curves in one picture, the table as a heat map against the best one that was there, and what its rows are worth.</summary>
internal static class TrainingReport
{
    private const string Style =
        "body{font:15px/1.5 sans-serif;max-width:80em;margin:2em auto;padding:0 1em;color:#222;background:#fff}table{border-collapse:collapse;font-size:12px;margin:.5em 0}" +
        "td,th{padding:.15em .5em;border:1px solid #ccc}.c{background:#f4b183;color:#222}.same{color:#999}svg{max-width:100%;height:auto}.wide{overflow-x:auto}pre{font-size:12px}" +
        "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}td,th{border-color:#444}.same{color:#777}}";

    /// <summary>Writes the page.</summary>
    /// <param name="searches">Every search that ran, by its name.</param>
    /// <param name="chosen">The training that the table is from.</param>
    /// <param name="other">The best table that was there, spelled out.</param>
    /// <param name="worths">What the rows are worth in which it differs.</param>
    public static string Write(IReadOnlyList<(string Name, TrainingResult Result)> searches, TrainingResult chosen, PolicyDocument other, IReadOnlyList<RowWorth> worths)
    {
        var html = new StringBuilder();
        html.Append(CultureInfo.InvariantCulture, $"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\"><title>{Text(chosen.Found.Name)}</title><style>{Style}</style></head><body>\n<h1>{Text(chosen.Found.Name)}</h1>\n");
        html.Append(CultureInfo.InvariantCulture, $"<pre>{Text(TrialTable.Of(chosen))}</pre>\n<div class=\"wide\">{Curves(searches)}</div>\n");
        html.Append(CultureInfo.InvariantCulture, $"<h2>The table, and where it differs from {Text(other.Name)}</h2>\n<p>Coloured cells differ; what stands in brackets is {Text(other.Name)}'s.</p>\n<div class=\"wide\">{HeatMap(chosen.Found, other)}</div>\n");
        html.Append(CultureInfo.InvariantCulture, $"<h2>What its rows are worth</h2>\n<p>Throughput on held-out data, by that with {Text(other.Name)}'s row in the place.</p>\n<table><tr><th>type</th><th>site</th><th>gain</th><th>standard error</th></tr>");
        foreach (var worth in worths) html.Append(CultureInfo.InvariantCulture, $"<tr><td>{Text(worth.Type)}</td><td>{(worth.Site.Length == 0 ? "<i>backoff</i>" : Text(worth.Site))}</td><td>{worth.Gain:+0.0%;-0.0%}</td><td>{worth.Error:0.0%}</td></tr>");
        return html.Append("</table></body></html>\n").ToString();
    }

    private static string Curves(IReadOnlyList<(string Name, TrainingResult Result)> searches)
    {
        var points = searches.SelectMany(search => search.Result.Points.Select(point => new ExperimentPoint(
            "search", search.Name, point.Evaluations, new Dictionary<string, Spread> { ["best"] = Exactly(point.Best), ["mean"] = Exactly(point.Mean) }))).ToList();
        return SvgPage.Write(points, [new("best", "the best table so far"), new("mean", "mean of the iteration's tables")], [new ExperimentPanel("search", "replays", ChartKind.Time)]);
    }

    private static Spread Exactly(double value) => new(value, value, value);

    private static string HeatMap(PolicyDocument found, PolicyDocument other)
    {
        var types = found.Catalogue.Types;
        var html = new StringBuilder("<table><tr><th>site</th><th>read</th><th>write</th><th>early</th><th>holders</th><th>hot</th>");
        foreach (var type in types) html.Append(CultureInfo.InvariantCulture, $"<th>waits for {Text(Short(type.Name))}</th>");
        html.Append("</tr>\n");
        foreach (var type in types)
        {
            foreach (var site in type.Sites)
            {
                var (own, theirs) = (RowOf(found, type.Name, site.Name), RowOf(other, type.Name, site.Name));
                html.Append(CultureInfo.InvariantCulture, $"<tr><td>{Text(site.Name)}</td>");
                foreach (var (now, before) in CellsOf(own, types).Zip(CellsOf(theirs, types)))
                    html.Append(now == before ? $"<td class=\"same\">{Text(now)}</td>" : $"<td class=\"c\">{Text(now)} [{Text(before)}]</td>");
                html.Append("</tr>\n");
            }
        }

        return html.Append("</table>").ToString();
    }

    private static PolicyCells RowOf(PolicyDocument document, string type, string site) => document.Find(type)?.Find(site) ?? document.Find(type)?.Default ?? document.Default ?? PolicyCells.Plain;

    private static IEnumerable<string> CellsOf(PolicyCells cells, IReadOnlyList<CatalogueType> types)
    {
        yield return cells.Read == ReadVersion.Dirty ? "dirty" : "clean";
        yield return cells.Write == WriteVisibility.Public ? "public" : "private";
        yield return cells.EarlyValidation ? "yes" : "no";
        yield return cells.WaitForHolders ? $"{cells.Conflict}{(cells.HoldersByType ? " by type" : "")}".ToLowerInvariant() : "no";
        yield return cells.Heat is { } heat ? heat.WaitForHolders ? "holders" : "other" : "same";
        foreach (var type in types)
        {
            var wait = cells.EffectiveWaits[type.Name];
            yield return wait.Until == WaitUntil.Site ? $"{type.PositionOf(wait.Site!) + 1}/{type.Sites.Count}" : wait.ToString();
        }
    }

    private static string Short(string type) => type[(type.LastIndexOf('.') + 1)..];

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
