using System.Globalization;
using Polyjuice.Lab.Experiments;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>
/// The best table that anybody knows for a workload, and how soon searches come near to it: the best of all that the
/// compared searches came by, of the built-in tables, and of others that were named.
/// </summary>
internal static class BestKnown
{
    /// <summary>Who comes so near to it has found most of what there is to find.</summary>
    private const double Near = 0.95;

    /// <summary>What a search's table is to make of the best built-in one, at the least.</summary>
    private const double BuiltInShare = 0.98;

    /// <summary>What the curves show.</summary>
    /// <param name="curves">All searches with all seeds; at least one.</param>
    /// <param name="builtIn">The tables that every search begins with; at least one.</param>
    /// <param name="known">Others.</param>
    public static IEnumerable<Finding> Findings(
        IReadOnlyList<SearchCurve> curves, IReadOnlyList<KnownTable> builtIn, IReadOnlyList<KnownTable> known)
    {
        var found = curves.MaxBy(Best)!;
        var before = builtIn.Concat(known).MaxBy(table => table.Score)!;
        var best = Math.Max(Best(found), before.Score);
        var who = Best(found) > before.Score ? $"a table of {found.Search} with seed {found.Seed}" : before.Name;
        yield return Say($"the best known table is {who}: {best:n0}/s.");
        var first = builtIn.MaxBy(table => table.Score)!;
        foreach (var search in curves.GroupBy(curve => curve.Search))
        {
            yield return Say($"{search.Key} {Reach([.. search], Near * best)}.");
            var least = search.Min(curve => curve.Final) / first.Score;
            yield return Say(
                $"{search.Key} ends at {least:0.0%} of the best built-in table ({first.Name}, {first.Score:n0}/s) with its worst seed; at least {BuiltInShare:0%} is wanted.",
                least >= BuiltInShare);
        }
    }

    private static string Reach(IReadOnlyList<SearchCurve> curves, double goal)
    {
        var reached = curves.Select(curve => curve.FirstReaching(goal)).ToList();
        var evaluations = reached.Select(one => (double?)one?.Evaluations ?? double.PositiveInfinity).Median();
        var seconds = reached.Select(one => one?.Elapsed.TotalSeconds ?? double.PositiveInfinity).Median();
        var how = double.IsFinite(evaluations)
            ? Text($"comes to {Near:0%} of it ({goal:n0}/s) after {evaluations:n0} replays and {seconds:n1} s")
            : Text($"has not reached {Near:0%} of it ({goal:n0}/s)");
        return how
            + Text($" in the median; reached with {reached.Count(one => one is not null)} of {curves.Count} seeds");
    }

    private static double Best(SearchCurve curve) => curve.Checkpoints.Max(checkpoint => checkpoint.Score);

    private static Finding Say(FormattableString text, bool? holds = null) => new(Text(text), holds);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
