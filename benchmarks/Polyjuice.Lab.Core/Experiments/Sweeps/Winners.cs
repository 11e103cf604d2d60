using System.Globalization;
namespace Polyjuice.Lab.Experiments.Sweeps;

/// <summary>
/// Which table does how well where, in sentences, and claims about it. The figure is commits a second.
/// </summary>
internal static class Winners
{
    private const string Rate = "committed/s";

    /// <summary>
    /// For each diagram and place, the best table and how it compares with those that stand for what there was before.
    /// </summary>
    public static IEnumerable<Finding> Of(IReadOnlyList<ExperimentPoint> points)
    {
        foreach (var at in points.Where(point => point.Figures.ContainsKey(Rate))
            .GroupBy(point => (point.Panel, point.X)))
        {
            var ranked = at.OrderByDescending(point => point[Rate]).ToList();
            if (ranked.Count < 2) continue;
            var others = ranked.Skip(1).Where(point => point.Series is "occ" or "locking" or "ic3" && point[Rate] > 0)
                .Select(
                    point => FormattableString.Invariant($"{ranked[0][Rate] / point[Rate]:0.0} times {point.Series}"));
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{at.Key.Panel} at {at.Key.X:0.####}: {ranked[0].Series} is best with {ranked[0][Rate]:N0}/s, "
                    + $"then {ranked[1].Series} with "
                    + $"{ranked[1][Rate]:N0}/s{string.Concat(others.Select(other => ", " + other))}."));
        }
    }

    /// <summary>The best table makes so many times what others make.</summary>
    /// <param name="points">All points.</param>
    /// <param name="panel">The diagram.</param>
    /// <param name="x">Where.</param>
    /// <param name="factor">How many times.</param>
    /// <param name="others">The others; those that were not measured are left out.</param>
    public static IEnumerable<Finding> BestBeats(
        IReadOnlyList<ExperimentPoint> points, string panel, double x, double factor,
        params IEnumerable<string> others)
    {
        var at = At(points, panel, x);
        var best = at.MaxBy(point => point[Rate]);
        foreach (var other in at.Where(point => others.Contains(point.Series) && point != best))
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{panel} at {x:0.####}: the best table ({best!.Series}, {best[Rate]:N0}/s) makes at least "
                    + $"{factor:0.0} times what {other.Series} makes ({other[Rate]:N0}/s)."),
                best[Rate] >= factor * other[Rate]);
    }

    /// <summary>No table makes less than a share of what another makes.</summary>
    /// <param name="points">All points.</param>
    /// <param name="panel">The diagram.</param>
    /// <param name="x">Where.</param>
    /// <param name="share">The share.</param>
    /// <param name="other">The other table.</param>
    public static IEnumerable<Finding> NoneBelow(
        IReadOnlyList<ExperimentPoint> points, string panel, double x, double share, string other)
    {
        var at = At(points, panel, x);
        if (at.Find(point => point.Series == other) is not { } reference) yield break;
        var below = at.Where(point => point[Rate] < share * reference[Rate])
            .Select(point => FormattableString.Invariant($"{point.Series} {point[Rate]:N0}/s")).ToList();
        yield return new Finding(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{panel} at {x:0.####}: no table makes less than {share:P0} of what {other} makes "
                + $"({reference[Rate]:N0}/s){(below.Count > 0 ? $"; below are {string.Join(", ", below)}" : "")}."),
            below.Count == 0);
    }

    private static List<ExperimentPoint> At(IReadOnlyList<ExperimentPoint> points, string panel, double x) =>
        [.. points.Where(point => point.Panel == panel && point.X == x && point.Figures.ContainsKey(Rate))];
}
