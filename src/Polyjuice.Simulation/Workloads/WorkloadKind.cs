namespace Polyjuice.Simulation.Workloads;

/// <summary>What the clients of a run do.</summary>
internal enum WorkloadKind
{
    /// <summary>
    /// Trees of calls that append to and read lists: every version order is visible, and so every anomaly.
    /// </summary>
    ListAppend,

    /// <summary>The same on registers: what a reader sees is the last write only.</summary>
    Register,

    /// <summary>Smallbank: deposits, payments, amalgamations; money is conserved.</summary>
    Smallbank,

    /// <summary>
    /// Call trees, transfers within pairs of accounts and audits of
    /// pairs, by which a body can tell an inconsistent view itself.
    /// </summary>
    Mixed,

    /// <summary>Ten types of eight updates. There are real grains for it, and no synthetic ones.</summary>
    Micro,

    /// <summary>YCSB. There are real grains for it, and no synthetic ones.</summary>
    Ycsb,
}
