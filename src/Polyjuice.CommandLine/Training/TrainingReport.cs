using System.Globalization;
using System.Text;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Scoring;

namespace Polyjuice.CommandLine;

/// <summary>
/// A training as one page: the searches' curves in one picture, the table as a
/// heat map against the best one that was there, and what its rows are worth.
/// </summary>
internal static class TrainingReport
{
    /// <summary>Writes the page.</summary>
    /// <param name="searches">Every search that ran, by its name.</param>
    /// <param name="chosen">The training that the table is from.</param>
    /// <param name="other">The best table that was there, spelled out.</param>
    /// <param name="worths">What the rows are worth in which it differs.</param>
    public static string Write(
        IReadOnlyList<(string Name, TrainingResult Result)> searches, TrainingResult chosen, PolicyDocument other,
        IReadOnlyList<RowWorth> worths)
    {
        ArgumentNullException.ThrowIfNull(searches);
        ArgumentNullException.ThrowIfNull(chosen);
        ArgumentNullException.ThrowIfNull(other);
        ArgumentNullException.ThrowIfNull(worths);
        var html = HtmlPage.Begin(chosen.Found.Name);
        html.Append(
            CultureInfo.InvariantCulture,
            $"<pre>{HtmlPage.Text(TrialTable.Of(chosen))}</pre>\n<div class=\"wide\">{Curves(searches)}</div>\n");
        html.Append(TableHeatMap.Section(chosen.Found, other));
        html.Append(
            CultureInfo.InvariantCulture,
            $"<h2>What its rows are worth</h2>\n<p>Throughput on held-out data, by that with "
            + $"{HtmlPage.Text(other.Name)}'s row in the "
            + $"place.</p>\n<table><tr><th>type</th><th>site</th><th>gain</th><th>standard error</th></tr>");
        foreach (var worth in worths)
            html.Append(
                CultureInfo.InvariantCulture,
                $"<tr><td>{HtmlPage.Text(worth.Type)}</td><td>{(worth.Site.Length == 0 ? "<i>backoff</i>" : HtmlPage.Text(worth.Site))}</td><td>{ChangeText.Of(worth.Gain)}</td><td>{worth.Error:0.0%}</td></tr>");
        return HtmlPage.End(html.Append("</table>"));
    }

    private static string Curves(IReadOnlyList<(string Name, TrainingResult Result)> searches)
    {
        var points = searches.SelectMany(search => search.Result.Points.Select(point => new ExperimentPoint(
            "search", search.Name, point.Evaluations,
            new Dictionary<string, Spread> { ["best"] = Exactly(point.Best), ["mean"] = Exactly(point.Mean) })))
                .ToList();
        return SvgPage.Write(
            points, [new("best", "the best table so far"), new("mean", "mean of the iteration's tables")],
            [new ExperimentPanel("search", "replays", ChartKind.Time)]);
    }

    private static Spread Exactly(double value) => new(value, value, value);
}
