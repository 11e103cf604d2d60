namespace Polyjuice.Isolation;

/// <summary>Which anomalies a consistency model forbids.</summary>
internal static class ConsistencyModels
{
    /// <summary>The weakest model that forbids an anomaly; all stronger ones forbid it too.</summary>
    /// <param name="kind">The anomaly.</param>
    public static ConsistencyModel WeakestForbidding(AnomalyKind kind) => kind switch
    {
        // What no sequence of versions can show, so that not even a single key behaves.
        AnomalyKind.G0 or AnomalyKind.DuplicateElements or AnomalyKind.GarbageRead or AnomalyKind.CyclicVersions =>
            ConsistencyModel.ReadUncommitted,

        // An incompatible order can be an aborted read, and a dirty
        // update is one; a future read is circular information flow.
        AnomalyKind.G1a or AnomalyKind.G1b or AnomalyKind.G1c
            or AnomalyKind.IncompatibleOrder or AnomalyKind.DirtyUpdate or AnomalyKind.FutureRead =>
                ConsistencyModel.ReadCommitted,
        AnomalyKind.GSingle or AnomalyKind.GNonadjacent or AnomalyKind.LostUpdate or AnomalyKind.Internal =>
            ConsistencyModel.SnapshotIsolation,
        AnomalyKind.G2Item => ConsistencyModel.Serializable,
        AnomalyKind.G0Process or AnomalyKind.G1cProcess or AnomalyKind.GSingleProcess
            or AnomalyKind.GNonadjacentProcess or AnomalyKind.G2ItemProcess =>
                ConsistencyModel.StrongSessionSerializable,
        _ => ConsistencyModel.StrictSerializable,
    };

    /// <summary>Whether a model forbids an anomaly.</summary>
    /// <param name="model">The model.</param>
    /// <param name="kind">The anomaly.</param>
    public static bool Forbids(ConsistencyModel model, AnomalyKind kind) => model >= WeakestForbidding(kind);
}
