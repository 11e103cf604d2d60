namespace Polyjuice.Isolation;

/// <summary>Tells lists from registers by what is done to them.</summary>
internal static class KeyKinds
{
    /// <summary>
    /// By key: true for a list. A key that is only ever read, and never with a result, counts as a list.
    /// </summary>
    public static Dictionary<HistoryKey, bool> Of(
        IReadOnlyList<Transaction> transactions, IReadOnlyDictionary<HistoryKey, IReadOnlyList<long>> orders)
    {
        var kinds = new Dictionary<HistoryKey, bool>(orders.Count);
        var open = new HashSet<HistoryKey>();
        foreach (var transaction in transactions)
        {
            for (var i = 0; i < transaction.MicroOps.Count; i++)
            {
                var op = transaction.MicroOps[i];
                if (KindOf(op) is not { } isList) open.Add(op.Key);
                else if (!kinds.TryAdd(op.Key, isList) && kinds[op.Key] != isList)
                    throw new HistoryException(
                        transaction.CompleteIndex ?? transaction.InvokeIndex,
                        $"value[{i}]",
                        $"'{op}' uses {op.Key} as a {Name(isList)}, and earlier it is used as a {Name(!isList)}; "
                        + "use two keys");
            }
        }

        foreach (var key in open) kinds.TryAdd(key, true);
        return kinds;
    }

    private static bool? KindOf(MicroOp op) => op.Kind switch
    {
        MicroOpKind.Append => true,
        MicroOpKind.Write => false,
        _ when op.List is not null => true,
        _ when op.Value is not null => false,
        _ => null,
    };

    private static string Name(bool isList) => isList ? "list" : "register";
}
