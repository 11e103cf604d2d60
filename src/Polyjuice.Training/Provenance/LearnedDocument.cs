using System.Globalization;
using Polyjuice.Policies;

namespace Polyjuice.Training.Provenance;

/// <summary>
/// A found table as it is published: with what it is worth and where it came
/// from, in short. The whole of that is <see cref="TrainingProvenance"/>'s.
/// </summary>
internal static class LearnedDocument
{
    /// <summary>
    /// What a found table is worth beside the best of those that were there, as a clause without a full stop.
    /// </summary>
    /// <param name="result">What came out.</param>
    public static string WorthOf(TrainingResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        if (result.Race is { } race)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"on a cluster {race.FoundRate:0}/s, {race.Gain.Ratio - 1:0.0%} "
                + $"({race.Gain.Low - 1:0.0%} to {race.Gain.High - 1:0.0%}) more than {race.Best.Name}");
        }

        var best = result.BestBaseline;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"in replays on held-out data {result.Trial.Mean:0}/s, {result.Trial.Over(best).Gain:0.0%} more than "
            + $"{best.Name}");
    }

    /// <summary>The found table with description and provenance.</summary>
    /// <param name="plan">What was to be done.</param>
    /// <param name="result">What came out.</param>
    /// <param name="traceDigest">See <see cref="TraceDigest"/>.</param>
    /// <param name="source">Where the trace is from, for people.</param>
    /// <param name="details">
    /// The file that has the rest, beside the table's; <see langword="null"/> if it goes another way.
    /// </param>
    public static PolicyDocument Of(
        TrainingPlan plan, TrainingResult result, string traceDigest, string source, string? details = null)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(result);
        KeyValuePair<string, string>[] own =
        [
            new("trace", source),
            new("sha256", traceDigest),
            new("search", $"{plan.Search.Name}, seed {plan.Seed}, {result.Evaluations} replays")
        ];
        return result.Found with
        {
            Description = $"Learned: {WorthOf(result)}.",
            Provenance = details is null ? own : [.. own, new("details", details)]
        };
    }
}
