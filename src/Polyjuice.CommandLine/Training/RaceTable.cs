using System.Globalization;
using Polyjuice.Training.Races;

namespace Polyjuice.CommandLine;

/// <summary>A race of tables on a cluster as a table for people, and what it has decided as a sentence.</summary>
internal static class RaceTable
{
    /// <summary>The standings, the best first.</summary>
    /// <param name="standings">Of the race.</param>
    public static string Of(IReadOnlyList<RaceStanding> standings)
    {
        ArgumentNullException.ThrowIfNull(standings);
        const string title = "on the cluster";
        var width = Math.Max(title.Length, standings.Max(static standing => standing.Table.Name.Length));
        var lines = new List<string>
        {
            $"{title.PadRight(width)}  {"committed/s",11}  {"least … most",17}  rounds  by the best"
        };
        foreach (var standing in standings)
        {
            var ratio = standing.Over(standings[0], RaceVerdict.Confidence).Ratio;
            var spread = string.Create(
                CultureInfo.InvariantCulture, $"{standing.Rates.Min():n0} … {standing.Rates.Max():n0}");
            lines.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"{standing.Table.Name.PadRight(width)}  {standing.Mean,11:n0}  {spread,17}  "
                + $"{standing.Rates.Count,6}  {ratio,8:0.00}{(standing.IsOut ? "  out" : "")}"));
        }

        return string.Join('\n', lines);
    }

    /// <summary>What was decided, and how sure that is.</summary>
    /// <param name="verdict">Of the race.</param>
    public static string Sentence(RaceVerdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        var (own, best, gain) = (verdict.Found.Name, verdict.Best.Name, verdict.Gain);
        if (verdict.Rates.Count == 0)
            return $"{own}, the best that was found, made less in the race than {best}, the best that was there.";
        var measured = string.Create(
            CultureInfo.InvariantCulture,
            $"In {verdict.Rates.Count} more rounds {own}, the best that was found, makes {gain.Ratio:0.00} times "
            + $"as much as {best}, the best that was there (95 %: {gain.Low:0.00} to {gain.High:0.00})");
        return verdict.IsBetter ? $"{measured}: it is better." : $"{measured}: that may be chance.";
    }
}
