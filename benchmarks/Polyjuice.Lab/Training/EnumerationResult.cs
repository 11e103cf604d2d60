using System.Globalization;
using Polyjuice.Lab.Experiments;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>All tables of a small workload beside what a search found, as the result of an experiment.</summary>
internal static class EnumerationResult
{
    /// <summary>The result's name.</summary>
    public const string Name = "enumeration";

    /// <summary>The share of the best table's throughput that the search is to reach.</summary>
    private const double Near = 0.98;

    private const string Panel = "best of all tables, and what was found";

    /// <summary>Makes it.</summary>
    /// <param name="study">What was replayed.</param>
    /// <param name="count">How many tables there are.</param>
    /// <param name="verdict">The best of all tables, then a search's for each seed, then those that were there.</param>
    public static ExperimentResult Of(SearchStudy study, long count, IReadOnlyList<TrialResult> verdict) =>
        study.ResultOf(
            Name,
            "The best of all tables of a small workload, beside those that a search found and those that were there, "
            + "in replays of held-out transactions.",
            ("tables", count), ("replays of each table in the verdict", study.Measurements)) with
        {
            Findings = [.. Findings(count, verdict, study.Seeds)],
            Points =
            [
                .. verdict.Select(
                    (trial, i) => SearchStudy.Point(Panel, trial.Name, i, trial.Mean, trial.Least, trial.Most))
            ],
            Panels = [new(Panel, "", ChartKind.Bars)],
        };

    /// <summary>How near the search comes, seed by seed.</summary>
    internal static IEnumerable<Finding> Findings(long count, IReadOnlyList<TrialResult> verdict, int searches)
    {
        var best = verdict[0];
        var builtIn = verdict.Skip(1 + searches).MaxBy(trial => trial.Mean)!;
        yield return new Finding(
            string.Create(
                CultureInfo.InvariantCulture,
                $"the best of {count:n0} tables makes {best.Mean:n0}/s ({best.Least:n0} … {best.Most:n0}); the best "
                + $"that was there, {builtIn.Name}, {builtIn.Mean:n0}/s."));
        var shares = new List<double>();
        foreach (var trial in verdict.Skip(1).Take(searches))
        {
            var (gain, error) = trial.Over(best);
            shares.Add(1 + gain);
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{trial.Name} finds one that makes {trial.Mean:n0}/s: {1 + gain:0.0%} ±{error:0.0%} of that."));
        }

        yield return new Finding(
            string.Create(
                CultureInfo.InvariantCulture,
                $"the search comes to at least {Near:0%} of the best of all tables, in the mean over its seeds: "
                + $"{shares.Average():0.0%}."),
            shares.Average() >= Near);
    }
}
