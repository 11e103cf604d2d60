namespace Polyjuice.Isolation;

/// <summary>Why one node of the graph precedes another; the first five are <see cref="DependencyKind"/>.</summary>
internal static class EdgeKind
{
    public const int Ww = (int)DependencyKind.WriteWrite;
    public const int Wr = (int)DependencyKind.WriteRead;
    public const int Rw = (int)DependencyKind.ReadWrite;
    public const int Process = (int)DependencyKind.Process;
    public const int RealTime = (int)DependencyKind.RealTime;

    /// <summary>Continues, from a helper node, the edge that led into it.</summary>
    public const int Thread = 5;

    public static int Mask(params ReadOnlySpan<int> kinds)
    {
        var mask = 0;
        foreach (var kind in kinds) mask |= 1 << kind;
        return mask;
    }
}
