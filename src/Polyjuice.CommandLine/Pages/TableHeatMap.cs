using System.Globalization;
using System.Text;
using Polyjuice.Policies;

namespace Polyjuice.CommandLine;

/// <summary>A policy's table, with those cells coloured in which it differs from another one.</summary>
internal static class TableHeatMap
{
    /// <summary>The table, below a heading.</summary>
    /// <param name="found">The table; its catalogue's sites are shown.</param>
    /// <param name="other">The other one, spelled out over the same sites.</param>
    public static string Section(PolicyDocument found, PolicyDocument other) => string.Create(
        CultureInfo.InvariantCulture,
        $"<h2>The table, and where it differs from {HtmlPage.Text(other.Name)}</h2>\n"
        + $"<p>Coloured cells differ; what stands in brackets is {HtmlPage.Text(other.Name)}'s.</p>\n"
        + $"<div class=\"wide\">{Of(found, other)}</div>\n");

    private static string Of(PolicyDocument found, PolicyDocument other)
    {
        var types = found.Catalogue.Types;
        var html = new StringBuilder(
            "<table><tr><th>site</th><th>read</th><th>write</th><th>early</th><th>holders</th><th>hot</th>");
        foreach (var type in types)
            html.Append(CultureInfo.InvariantCulture, $"<th>waits for {HtmlPage.Text(Short(type.Name))}</th>");
        html.Append("</tr>\n");
        foreach (var type in types)
        {
            foreach (var site in type.Sites)
            {
                var (own, theirs) = (found.RowOf(type.Name, site.Name), other.RowOf(type.Name, site.Name));
                html.Append(CultureInfo.InvariantCulture, $"<tr><td>{HtmlPage.Text(site.Name)}</td>");
                foreach (var (now, before) in CellsOf(own, types).Zip(CellsOf(theirs, types)))
                {
                    html.Append(now == before
                        ? $"<td class=\"same\">{HtmlPage.Text(now)}</td>"
                        : $"<td class=\"c\">{HtmlPage.Text(now)} [{HtmlPage.Text(before)}]</td>");
                }

                html.Append("</tr>\n");
            }
        }

        return html.Append("</table>").ToString();
    }

    private static IEnumerable<string> CellsOf(PolicyCells cells, IReadOnlyList<CatalogueType> types)
    {
        yield return cells.Read == ReadVersion.Dirty ? "dirty" : "clean";
        yield return cells.Write == WriteVisibility.Public ? "public" : "private";
        yield return cells.EarlyValidation ? "yes" : "no";
        yield return cells.WaitForHolders
            ? $"{cells.Conflict}{(cells.HoldersByType ? " by type" : "")}".ToLowerInvariant()
            : "no";
        yield return cells.Heat is { } heat ? heat.WaitForHolders ? "holders" : "other" : "same";
        foreach (var type in types)
        {
            var wait = cells.EffectiveWaits[type.Name];
            yield return wait.Until == WaitUntil.Site
                ? $"{type.PositionOf(wait.Site!) + 1}/{type.Sites.Count}"
                : wait.ToString();
        }
    }

    private static string Short(string type) => type[(type.LastIndexOf('.') + 1)..];
}
