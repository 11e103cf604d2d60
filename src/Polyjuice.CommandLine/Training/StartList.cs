using System.Globalization;
using Polyjuice.Training;

namespace Polyjuice.CommandLine;

/// <summary>The tables that a search began with, for people.</summary>
internal static class StartList
{
    /// <summary>How many are named.</summary>
    private const int Named = 6;

    /// <summary>The best of them in a line, with what they came to in the search's own replays.</summary>
    /// <param name="result">What a training came to.</param>
    public static string Of(TrainingResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var best = result.Starts.Take(Named)
            .Select(start => string.Create(CultureInfo.InvariantCulture, $"{start.Name} {start.Score:n0}"));
        return $"the best of {result.Starts.Count} tables that the search began with, in its own replays: "
            + $"{string.Join(", ", best)}";
    }
}
