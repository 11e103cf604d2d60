namespace Polyjuice.Policies;

/// <summary>
/// Which transaction types pipeline with each other. Given groups are taken as they are. Each other type, in the order
/// of the workload, joins the first group that it pipelines with a member of and crosses no member of; if there is
/// none, it begins one.
/// <para>
/// Two types <em>cross</em> if they come to two states that they contend for in opposite orders: a pipeline of both
/// would be a deadlock. They <em>pipeline</em> if there is a state that they contend for which neither passes in a
/// loop: a loop is not past the state before it is over, so that who follows it there waits for about as long as for a
/// lock. For TPC-C that gives the grouping that its authors made by hand (Tebaldi's three layers; the Polyjuice paper,
/// §7.2): New-Order with Payment, and Delivery, which does everything ten times over, by itself.
/// </para>
/// </summary>
internal static class TypeGrouping
{
    /// <summary>The groups: every type of the workload is in one.</summary>
    public static IReadOnlyList<IReadOnlyList<ShapeType>> Of(WorkloadShape workload, IReadOnlyList<TypeGroup> given)
    {
        var groups = given.Select(group => group.Types.Select(workload.Find).OfType<ShapeType>().ToList()).ToList();
        var named = given.SelectMany(group => group.Types).ToHashSet(StringComparer.Ordinal);
        var fixedCount = groups.Count;
        foreach (var type in workload.Types)
        {
            if (named.Contains(type.Name)) continue;
            var home = groups.Skip(fixedCount)
                .FirstOrDefault(
                    group => group.Exists(other => Pipeline(type, other))
                        && !group.Exists(other => Cross(type, other)));
            if (home is null) groups.Add([type]);
            else home.Add(type);
        }

        return groups;
    }

    private static bool Pipeline(ShapeType one, ShapeType other) =>
        Contended(one, other).Any(state => !IsLooped(one, state) && !IsLooped(other, state));

    private static bool Cross(ShapeType one, ShapeType other)
    {
        var states = Contended(one, other);
        foreach (var first in states)
        {
            foreach (var second in states)
            {
                if (PlaceOf(one, first) < PlaceOf(one, second) && PlaceOf(other, first) > PlaceOf(other, second))
                    return true;
            }
        }

        return false;
    }

    private static List<string> Contended(ShapeType one, ShapeType other) =>
        [
            .. one.Sites.Where(site => other.Sites.Any(site.ConflictsWith)).Select(site => site.State)
            .Distinct(StringComparer.Ordinal)
        ];

    private static int PlaceOf(ShapeType type, string state) => type.Sites.First(site => site.State == state).Position;

    private static bool IsLooped(ShapeType type, string state) =>
        type.Sites.Any(site => site.State == state && site.Loop);
}
