namespace Polyjuice.Isolation;

/// <summary>What a read of a list says.</summary>
internal static class ListReads
{
    /// <summary>The elements that were read; none for the initial state.</summary>
    public static IReadOnlyList<long> Elements(MicroOp read) => read.List ?? [];

    public static bool IsPrefix(IReadOnlyList<long> list, long[] order)
    {
        if (list.Count > order.Length) return false;
        if (list is long[] array) return array.AsSpan().SequenceEqual(order.AsSpan(0, array.Length));
        for (var i = 0; i < list.Count; i++)
        {
            if (list[i] != order[i]) return false;
        }

        return true;
    }
}
