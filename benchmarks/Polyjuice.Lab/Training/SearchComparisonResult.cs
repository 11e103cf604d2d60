using System.Globalization;
using Polyjuice.Lab.Experiments;
using Polyjuice.Training;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>A comparison of searches as the result of an experiment, with its curves and what they show.</summary>
internal static class SearchComparisonResult
{
    /// <summary>The result's name.</summary>
    public const string Name = "searches";

    /// <summary>Who comes so near to where the evolutionary algorithm ends has found what there is.</summary>
    private const double Near = 0.99;

    /// <summary>The share of the evolutionary algorithm's replays that the default search may need for that.</summary>
    private const double ShareMax = 1.0 / 3;

    private const string Means = "means over seeds";
    private const string Single = "each search";

    /// <summary>Makes it.</summary>
    /// <param name="study">On what they were compared.</param>
    /// <param name="curves">All searches; at least one.</param>
    /// <param name="builtIn">The tables that every search begins with.</param>
    /// <param name="known">Others that are known.</param>
    /// <param name="isComplete">Whether all that were wanted are there.</param>
    public static ExperimentResult Of(
        SearchStudy study, IReadOnlyList<SearchCurve> curves, IReadOnlyList<KnownTable> builtIn,
        IReadOnlyList<KnownTable> known, bool isComplete)
    {
        var points = new List<ExperimentPoint>();
        foreach (var group in curves.GroupBy(curve => curve.Search))
        {
            foreach (var checkpoint in SearchCurve.MeanOf([.. group]).Checkpoints)
                points.Add(
                    SearchStudy.Point(
                        Means,
                        group.Key,
                        checkpoint.Evaluations,
                        checkpoint.Score,
                        group.Min(curve => curve.At(checkpoint.Evaluations)),
                        group.Max(curve => curve.At(checkpoint.Evaluations))));
        }

        foreach (var curve in curves)
        {
            foreach (var checkpoint in curve.Checkpoints)
                points.Add(
                    SearchStudy.Point(
                        Single,
                        $"{curve.Search}, seed {curve.Seed}",
                        checkpoint.Evaluations,
                        checkpoint.Score,
                        checkpoint.Score,
                        checkpoint.Score));
        }

        return study.ResultOf(
            Name,
            "What the best table of each search is worth as it goes on, in replays of held-out transactions with seeds "
            + "that no search has.",
            ("replays of each best table", study.Measurements)) with
        {
            IsComplete = isComplete, Points = points,
            Findings = [.. Findings(curves), .. BestKnown.Findings(curves, builtIn, known)],
            Panels = [new(Means, "replays", ChartKind.Time), new(Single, "replays", ChartKind.Time)],
        };
    }

    /// <summary>
    /// After how many replays each comes near to where the evolutionary
    /// algorithm ends: of the mean over the seeds, and of each seed.
    /// </summary>
    internal static IEnumerable<Finding> Findings(IReadOnlyList<SearchCurve> curves)
    {
        var groups = curves.GroupBy(curve => curve.Search)
            .ToDictionary(group => group.Key, IReadOnlyList<SearchCurve> (group) => [.. group]);
        foreach (var (search, own) in groups)
        {
            var ends = own.Select(curve => curve.Final).ToList();
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{search} ends at {ends.Average():n0}/s ({ends.Min():n0} … {ends.Max():n0}), from "
                    + $"{own.Average(curve => curve.Checkpoints[0].Score):n0}/s with the tables that it begins with."));
        }

        if (!groups.TryGetValue("ea", out var evolutionary)) yield break;
        var goal = Near * evolutionary.Average(curve => curve.Final);
        if (goal <= evolutionary.Average(curve => curve.Checkpoints[0].Score))
        {
            yield return new Finding(
                "ea has gained nothing that counts over the tables that it begins with, so how soon others come to "
                + "where it ends says nothing: compare with more --evaluations.");
            yield break;
        }

        var first = groups.ToDictionary(
            group => group.Key, group => SearchCurve.MeanOf(group.Value).FirstReaching(goal)?.Evaluations);
        foreach (var (search, own) in groups)
        {
            var each = string.Join(
                ", ",
                own.Select(curve => curve.FirstReaching(goal) is { } reached ? Text(reached.Evaluations) : "never"));
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{search} comes to {Near:0%} of where ea ends ({goal:n0}/s) "
                    + $"{(first[search] is { } at ? $"after {at:n0} replays" : "never")} in the mean over its seeds; "
                    + $"seed by seed: {each}."));
        }

        if (groups.ContainsKey("ours") && first["ea"] is { } theirs)
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"ours needs at most a third of ea's replays for "
                    + $"that{(first["ours"] is { } mine ? $": {mine:n0} of {theirs:n0}, {(double)mine / theirs:0%}" : "")}."),
                first["ours"] <= ShareMax * theirs);
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
