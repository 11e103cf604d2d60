using System.Globalization;
using Polyjuice.Benchmarking.Running;

namespace Polyjuice.Cli.Training;

/// <summary>Times as people type them: "90s", "10m", "1.5h".</summary>
internal static class Durations
{
    /// <summary>Reads one.</summary>
    /// <exception cref="BenchmarkInputException">It is none, or not above 0 and at most a week.</exception>
    public static TimeSpan Parse(string text, string option)
    {
        var seconds = text.Length == 0 ? 0 : text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3_600, _ => 0 };
        if (seconds > 0 && double.TryParse(text[..^1], NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number > 0 && number * seconds <= 7 * 86_400) return TimeSpan.FromSeconds(number * seconds);
        throw new BenchmarkInputException($"{option}: \"{text}\" is no time of at most a week. Write 90s, 10m or 1.5h.");
    }
}
