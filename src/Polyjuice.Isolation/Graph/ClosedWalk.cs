namespace Polyjuice.Isolation;

/// <summary>A walk that returns to where it started, and may visit a node twice on the way.</summary>
internal static class ClosedWalk
{
    /// <summary>
    /// Cuts loops off until no node is visited twice, and keeps the property that no two anti-dependencies succeed each
    /// other. Cut at a node, a walk gives two; if both had such a pair at the cut, the walk had one too. Prefers the
    /// part with anti-dependencies.
    /// </summary>
    public static List<(int From, int To, DependencyKind Kind, int Key)> Simplify(
        List<(int From, int To, DependencyKind Kind, int Key)> walk)
    {
        while (FindLoop(walk) is var (start, end))
        {
            var inner = walk[start..end];
            List<(int From, int To, DependencyKind Kind, int Key)> outer = [.. walk[..start], .. walk[end..]];
            var (isInner, isOuter) = (IsNonadjacent(inner), IsNonadjacent(outer));
            walk = isInner && (!isOuter || Count(inner) > 0 && (Count(outer) == 0 || inner.Count < outer.Count))
                ? inner
                : outer;
        }

        return walk;
    }

    private static (int Start, int End)? FindLoop(List<(int From, int To, DependencyKind Kind, int Key)> walk)
    {
        var at = new Dictionary<int, int>();
        for (var i = 0; i < walk.Count; i++)
        {
            if (!at.TryAdd(walk[i].From, i)) return (at[walk[i].From], i);
        }

        return null;
    }

    private static bool IsNonadjacent(List<(int From, int To, DependencyKind Kind, int Key)> cycle)
    {
        for (var i = 0; i < cycle.Count; i++)
        {
            if (cycle[i].Kind == DependencyKind.ReadWrite
                && cycle[(i + 1) % cycle.Count].Kind == DependencyKind.ReadWrite)
                return false;
        }

        return true;
    }

    private static int Count(List<(int From, int To, DependencyKind Kind, int Key)> cycle) =>
        cycle.Count(e => e.Kind == DependencyKind.ReadWrite);
}
