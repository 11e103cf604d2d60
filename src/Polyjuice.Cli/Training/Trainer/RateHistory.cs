using System.Globalization;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>
/// Conflict rates in a text file: a line for each window, its start in ISO 8601 and its rate from 0 to 1, with a comma
/// between; a first line of other text is a heading.
/// </summary>
internal static class RateHistory
{
    /// <summary>Reads one.</summary>
    /// <exception cref="CommandInputException">A line is none, or is not later than the one before it.</exception>
    /// <exception cref="IOException">It can't be read.</exception>
    public static IReadOnlyList<ObservedRate> Read(string path, WindowGrid grid)
    {
        var rates = new List<ObservedRate>();
        var number = 0;
        foreach (var line in File.ReadLines(path))
        {
            number++;
            if (string.IsNullOrWhiteSpace(line)) continue;
            var parts = line.Split(',');
            var hasTime = DateTimeOffset.TryParse(
                parts[0], CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var at);
            if (number == 1 && !hasTime) continue;
            if (parts.Length != 2 || !hasTime || at < DateTimeOffset.UnixEpoch
                || !double.TryParse(parts[1], NumberStyles.Float, CultureInfo.InvariantCulture, out var rate)
                || !(rate >= 0 && rate <= 1))
                throw new CommandInputException(
                    $"{path}, line {number}: \"{line}\" is no window's start and its rate, such as "
                    + "2026-03-01T07:00:00Z,0.25.");
            var window = grid.WindowOf((at - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond);
            if (rates.Count > 0 && window <= rates[^1].Window)
                throw new CommandInputException(
                    $"{path}, line {number}: {parts[0]} is not in a later window of {grid.Length} than the line "
                    + "before it.");
            rates.Add(new ObservedRate(window, rate));
        }

        return rates;
    }
}
