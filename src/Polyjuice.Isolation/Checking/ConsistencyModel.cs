namespace Polyjuice.Isolation;

/// <summary>
/// What a database may promise, from weak to strong: who breaks one breaks all below it in this list.
/// </summary>
public enum ConsistencyModel
{
    /// <summary>Adya's PL-1.</summary>
    ReadUncommitted,

    /// <summary>Adya's PL-2.</summary>
    ReadCommitted,

    /// <summary>Adya's PL-SI, in the generalised form that does not ask for clocks.</summary>
    SnapshotIsolation,

    /// <summary>Adya's PL-3: equal to some serial order.</summary>
    Serializable,

    /// <summary>Equal to some serial order in which every process's transactions keep their order.</summary>
    StrongSessionSerializable,

    /// <summary>Equal to some serial order that real time allows.</summary>
    StrictSerializable,
}
