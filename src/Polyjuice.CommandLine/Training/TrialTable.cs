using System.Globalization;
using Polyjuice.Training;

namespace Polyjuice.CommandLine;

/// <summary>A trial on held-out data as a table for people.</summary>
internal static class TrialTable
{
    /// <summary>The found table first, then the others, best first.</summary>
    /// <param name="result">What a training came to.</param>
    public static string Of(TrainingResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var width = result.Baselines.Append(result.Trial).Max(trial => trial.Name.Length);
        var lines = new List<string>
        {
            $"{"on held-out data".PadRight(Math.Max(width, 16))}  {"score",8}  {"least … most",17}  {"aborted",7}  "
            + $"{"p99 ms",7}  found makes"
        };
        foreach (var trial in result.Baselines.OrderByDescending(baseline => baseline.Mean).Prepend(result.Trial))
        {
            var (gain, error) = result.Trial.Over(trial);
            var change = ChangeText.Of(gain).PadLeft(7)
                + string.Create(CultureInfo.InvariantCulture, $" ±{error:0.0%}");
            var verdict = ReferenceEquals(trial, result.Trial) ? "" : change;
            lines.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"{trial.Name.PadRight(Math.Max(width, 16))}  {trial.Mean,8:n0}  "
                + $"{$"{trial.Least:n0} … {trial.Most:n0}",17}  "
                + $"{trial.Replays.Average(replay => replay.AbortedShare),7:0.0%}  "
                + $"{trial.Replays.Average(replay => replay.P99Microseconds) / 1e3,7:n1}  {verdict}"));
        }

        return string.Join('\n', lines.Select(line => line.TrimEnd()));
    }
}
