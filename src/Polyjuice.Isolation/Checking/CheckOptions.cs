namespace Polyjuice.Isolation;

/// <summary>How a history is judged.</summary>
public sealed record CheckOptions
{
    /// <summary>
    /// The promise to check: decides which edges are drawn (<see cref="ConsistencyModel.StrictSerializable"/> by
    /// default: all of them).
    /// </summary>
    public ConsistencyModel Model { get; init; } = ConsistencyModel.StrictSerializable;

    /// <summary>True version orders, for who knows them: for a key, all elements or values from the first to the last.
    /// Without one, a list's order is taken from its longest read, and a register's from what transactions read before
    /// they wrote.</summary>
    public IReadOnlyDictionary<
        HistoryKey,
        IReadOnlyList<long>> VersionOrders { get; init; } = new Dictionary<HistoryKey, IReadOnlyList<long>>();

    /// <summary>Assume that every register by itself is linearizable, and infer version orders from real time. False by
    /// default: it finds more, but an anomaly found with it may be that this assumption is wrong.</summary>
    public bool LinearizableKeys { get; init; }

    /// <summary>What a register holds before anyone wrote it, beside null. Null by default.</summary>
    public long? InitialValue { get; init; }

    /// <summary>How many anomalies of each kind are explained; all are counted. At least 1, 8 by default.</summary>
    public int ExamplesMax { get; init; } = 8;
}
