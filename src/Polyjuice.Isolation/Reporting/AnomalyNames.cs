namespace Polyjuice.Isolation;

/// <summary>Names as the literature writes them.</summary>
internal static class AnomalyNames
{
    /// <summary>The anomaly's usual name, like <c>G-single-realtime</c>.</summary>
    /// <param name="kind">The anomaly.</param>
    public static string Of(AnomalyKind kind) => kind switch
    {
        AnomalyKind.G0 => "G0",
        AnomalyKind.G0Process => "G0-process",
        AnomalyKind.G0RealTime => "G0-realtime",
        AnomalyKind.G1a => "G1a",
        AnomalyKind.G1b => "G1b",
        AnomalyKind.G1c => "G1c",
        AnomalyKind.G1cProcess => "G1c-process",
        AnomalyKind.G1cRealTime => "G1c-realtime",
        AnomalyKind.GSingle => "G-single",
        AnomalyKind.GSingleProcess => "G-single-process",
        AnomalyKind.GSingleRealTime => "G-single-realtime",
        AnomalyKind.GNonadjacent => "G-nonadjacent",
        AnomalyKind.GNonadjacentProcess => "G-nonadjacent-process",
        AnomalyKind.GNonadjacentRealTime => "G-nonadjacent-realtime",
        AnomalyKind.G2Item => "G2-item",
        AnomalyKind.G2ItemProcess => "G2-item-process",
        AnomalyKind.G2ItemRealTime => "G2-item-realtime",
        AnomalyKind.Internal => "internal",
        AnomalyKind.FutureRead => "future-read",
        AnomalyKind.LostUpdate => "lost-update",
        AnomalyKind.DirtyUpdate => "dirty-update",
        AnomalyKind.IncompatibleOrder => "incompatible-order",
        AnomalyKind.DuplicateElements => "duplicate-elements",
        AnomalyKind.GarbageRead => "garbage-read",
        AnomalyKind.CyclicVersions => "cyclic-versions",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "not an anomaly"),
    };

    /// <summary>The model's usual name, like <c>strict-serializable</c>.</summary>
    /// <param name="model">The model.</param>
    public static string Of(ConsistencyModel model) => model switch
    {
        ConsistencyModel.ReadUncommitted => "read-uncommitted",
        ConsistencyModel.ReadCommitted => "read-committed",
        ConsistencyModel.SnapshotIsolation => "snapshot-isolation",
        ConsistencyModel.Serializable => "serializable",
        ConsistencyModel.StrongSessionSerializable => "strong-session-serializable",
        ConsistencyModel.StrictSerializable => "strict-serializable",
        _ => throw new ArgumentOutOfRangeException(nameof(model), model, "not a model"),
    };
}
