using System.Globalization;
using System.Text;
using Polyjuice.Cli.Explaining;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Cli.Pages;

/// <summary>
/// An explanation of a policy as one page: sentences, what its cells are worth, and the table against the others.
/// </summary>
internal static class ExplanationPage
{
    private const string ChartTitle = "Change of throughput by group of cells";

    /// <summary>Writes the page.</summary>
    public static string Write(Explained explained)
    {
        var html = HtmlPage.Begin(explained.Table.Name);
        html.Append(CultureInfo.InvariantCulture, $"<p>{HtmlPage.Text(explained.Table.Description)}</p>\n");
        foreach (var section in explained.Explanation.Sections)
        {
            html.Append(CultureInfo.InvariantCulture, $"<h2>{HtmlPage.Text(section.Heading)}</h2>\n<ul>");
            foreach (var sentence in section.Sentences)
                html.Append(CultureInfo.InvariantCulture, $"<li>{HtmlPage.Text(sentence)}</li>");
            html.Append("</ul>\n");
        }

        if (explained.Ablation is { } ablation) Append(html, ablation, explained.Table.Name);
        foreach (var other in explained.Others) html.Append(TableHeatMap.Section(explained.Table, other));
        return HtmlPage.End(html);
    }

    private static void Append(StringBuilder html, AblationResult ablation, string table)
    {
        var ((without, alone), replays) = (AblationText.Columns(ablation, table), ablation.Table.Scores.Count);
        html.Append(
            CultureInfo.InvariantCulture,
            $"<h2>What its cells are worth</h2>\n<p>Throughput on held-out data when one group of cells is taken "
            + $"from the other table, by that without; with the standard error over {replays} replays.");
        if (!ablation.IsWhole)
            html.Append($" Ended early: {ablation.Groups.Count} of {ablation.Wanted} groups are known.");
        html.Append("</p>\n<ul>");
        foreach (var trial in ablation.Compared.Prepend(ablation.Table))
        {
            var name = HtmlPage.Text(trial.Name);
            html.Append(CultureInfo.InvariantCulture, $"<li>{name} commits {trial.Mean:n0}/s</li>");
        }

        html.Append("</ul>\n");
        if (ablation.Groups.Count == 0) return;
        var bars = ablation.Groups.Select(group => new NamedBars(
            AblationText.NameOf(group),
            [(group.Without.Gain, group.Without.Error), (group.Alone.Gain, group.Alone.Error)]));
        html.Append(
            CultureInfo.InvariantCulture,
            $"<div class=\"wide\">{SvgBars.Write(ChartTitle, [without, alone], [.. bars])}</div>\n");
    }
}
