namespace Polyjuice.Isolation;

/// <summary>Says in words why one transaction precedes another.</summary>
internal sealed class Reasons(KeyTable table)
{
    public CycleStep Step(int from, int to, DependencyKind kind, int keyId)
    {
        var (a, b) = (table.Transactions[from], table.Transactions[to]);
        if (kind == DependencyKind.Process)
            return new CycleStep(a, b, kind, null, $"process {a.Process} ran one after the other");
        if (kind == DependencyKind.RealTime)
            return new CycleStep(
                a,
                b,
                kind,
                null,
                $"T{from} was told at index {a.CompleteIndex}, before T{to} was invoked at index {b.InvokeIndex}");
        var key = table.Keys[keyId];
        var reason = kind switch
        {
            DependencyKind.WriteWrite => WriteWrite(a, b, key),
            DependencyKind.WriteRead => WriteRead(a, b, key),
            _ => ReadWrite(a, b, key),
        };
        return new CycleStep(a, b, kind, key.Key, reason);
    }

    private static string WriteWrite(Transaction a, Transaction b, KeyData key)
    {
        var verb = key.IsList ? "appended" : "wrote";
        var (first, second) = (Writes(a, key).ToList(), Writes(b, key).ToList());
        if (!key.IsList) return $"T{b.Number} {verb} {second[0]} to {key} after T{a.Number} {verb} {first[^1]}";

        // Of all pairs, the one that is closest in the version order.
        var best = (Gap: int.MaxValue, First: first[0], Second: second[0]);
        foreach (var x in first)
        {
            foreach (var y in second)
            {
                var gap = Position(key, y) - Position(key, x);
                if (gap > 0 && gap < best.Gap) best = (gap, x, y);
            }
        }

        var unseen = key.Positions.ContainsKey(best.Second) ? "" : ", which no read of it had seen yet";
        return $"T{b.Number} appended {best.Second} to {key} after T{a.Number} appended {best.First}{unseen}";
    }

    private static string WriteRead(Transaction a, Transaction b, KeyData key)
    {
        var written = Writes(a, key).ToHashSet();
        foreach (var read in Reads(b, key))
        {
            var seen = key.IsList
                ? ListReads.Elements(read).LastOrDefault(written.Contains, long.MinValue)
                : read.Value ?? long.MinValue;
            if (!written.Contains(seen)) continue;
            return $"T{b.Number} read {Result(read)} from {key}, so it saw {seen}, which T{a.Number} "
                + $"{(key.IsList ? "appended" : "wrote")}";
        }

        return $"T{b.Number} read what T{a.Number} left in {key}";
    }

    private string ReadWrite(Transaction a, Transaction b, KeyData key)
    {
        var writes = Writes(b, key).ToList();
        foreach (var read in Reads(a, key))
        {
            if (key.IsList)
            {
                var seen = ListReads.Elements(read);
                var missed = writes.FindIndex(w => !seen.Contains(w));
                if (missed >= 0)
                    return $"T{a.Number} read {Result(read)} from {key}, without {writes[missed]}, which "
                        + $"T{b.Number} appended";
            }
            else if (table.IsInitial(key, read.Value) || !writes.Contains(read.Value!.Value))
            {
                return $"T{a.Number} read {Result(read)} from {key}, which T{b.Number} overwrote with {writes[0]}";
            }
        }

        return $"T{a.Number} read {key} without all that T{b.Number} wrote there";
    }

    public static string Result(MicroOp read) =>
        read.List is { } list ? $"[{string.Join(' ', list)}]" : read.Value?.ToString() ?? "the initial state";

    private static int Position(KeyData key, long value) =>
        key.Positions.TryGetValue(value, out var position) ? position : key.Order.Length;

    private static IEnumerable<long> Writes(Transaction transaction, KeyData key) =>
        transaction.MicroOps.Where(o => o.Kind != MicroOpKind.Read && o.Key == key.Key).Select(o => o.Value!.Value);

    private static IEnumerable<MicroOp> Reads(Transaction transaction, KeyData key) =>
        transaction.MicroOps.Where(o => o.Kind == MicroOpKind.Read && o.Key == key.Key);
}
