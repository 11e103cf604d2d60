namespace Polyjuice.Isolation;

/// <summary>
/// The anomalies that a history can show: Adya's phenomena as Elle tells them from what clients saw (Kingsbury and
/// Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", VLDB 2020; Adya, "Weak Consistency",
/// 1999).
/// </summary>
/// <remarks>
/// In the examples T1, T2, … commit unless they say otherwise; <c>a(x,1)</c> appends 1 to x, <c>w(x,1)</c> writes it,
/// <c>r(x,[1])</c> read it. Dependencies: <c>ww</c>, the second overwrote what the first wrote; <c>wr</c>, the second
/// read what the first wrote; <c>rw</c>, the second overwrote what the first read. Variants in <c>Process</c> need in
/// addition that a process does one thing after another, variants in <c>RealTime</c> that who was told before another
/// began comes before it. A cycle is reported under the name that needs least, and a variant only where no cycle
/// without such edges is in the same strongly connected component.
/// </remarks>
public enum AnomalyKind
{
    /// <summary>
    /// G0, dirty write: a cycle of ww. <c>T1: a(x,1) a(y,1). T2: a(x,2) a(y,2). T3: r(x,[1 2]) r(y,[2 1])</c>.
    /// </summary>
    G0,

    /// <summary>G0 with what a process did in order.</summary>
    G0Process,

    /// <summary>G0 with real time. <c>T1: a(x,1), told; then T2: a(x,2). T3: r(x,[2 1])</c>.</summary>
    G0RealTime,

    /// <summary>
    /// G1a, aborted read: a committed transaction read what an
    /// aborted one wrote. <c>T1, aborted: a(x,1). T2: r(x,[1])</c>.
    /// </summary>
    G1a,

    /// <summary>
    /// G1b, intermediate read: it read what another transaction
    /// overwrote itself. <c>T1: a(x,1) a(x,2). T2: r(x,[1])</c>.
    /// </summary>
    G1b,

    /// <summary>
    /// G1c, circular information flow: a cycle of ww and wr with at
    /// least one wr. <c>T1: a(x,1) r(y,[1]). T2: a(y,1) r(x,[1])</c>.
    /// </summary>
    G1c,

    /// <summary>G1c with what a process did in order.</summary>
    G1cProcess,

    /// <summary>G1c with real time. <c>T1: r(x,[1]), told; then T2: a(x,1)</c>.</summary>
    G1cRealTime,

    /// <summary>
    /// G-single, read skew: a cycle with exactly one rw. <c>T1: a(x,1) a(y,1). T2: r(x,[1]) r(y,[])</c>.
    /// </summary>
    GSingle,

    /// <summary>G-single with what a process did in order. A client does not see its own earlier write.</summary>
    GSingleProcess,

    /// <summary>G-single with real time: a stale read. <c>T1: a(x,1), told; then T2: r(x,[])</c>.</summary>
    GSingleRealTime,

    /// <summary>G-nonadjacent: a cycle with two or more rw, no two of them in succession. <c>T1: a(x,1). T2: r(x,[1])
    /// r(y,[]). T3: a(y,1). T4: r(y,[1]) r(x,[])</c>: a long fork, which snapshot isolation forbids and parallel
    /// snapshot isolation allows.</summary>
    GNonadjacent,

    /// <summary>G-nonadjacent with what a process did in order.</summary>
    GNonadjacentProcess,

    /// <summary>G-nonadjacent with real time.</summary>
    GNonadjacentRealTime,

    /// <summary>G2-item, which write skew is: a cycle with two or more rw, some of them in succession. <c>T1: r(y,[])
    /// a(x,1). T2: r(x,[]) a(y,1)</c>. Reported only where no cycle of the kinds above is in the same strongly
    /// connected component.</summary>
    G2Item,

    /// <summary>G2-item with what a process did in order.</summary>
    G2ItemProcess,

    /// <summary>G2-item with real time.</summary>
    G2ItemRealTime,

    /// <summary>
    /// Internal: a transaction's read contradicts its own earlier read or write. <c>T1: a(x,1) r(x,[])</c>.
    /// </summary>
    Internal,

    /// <summary>Future read: a transaction read what it wrote only later. <c>T1: r(x,[1]) a(x,1)</c>.</summary>
    FutureRead,

    /// <summary>
    /// Lost update: two committed transactions read one version of a key and
    /// then both wrote the key. <c>T1: r(x,[]) a(x,1). T2: r(x,[]) a(x,2)</c>.
    /// </summary>
    LostUpdate,

    /// <summary>
    /// Dirty update: a committed transaction wrote upon what an aborted
    /// one wrote. <c>T1, aborted: a(x,1). T2: a(x,2). T3: r(x,[1 2])</c>.
    /// </summary>
    DirtyUpdate,

    /// <summary>Incompatible order: two reads of a list are not one a prefix of the other, <c>T3: r(x,[1 2]). T4:
    /// r(x,[2])</c>, or a list has a transaction's own appends in another order, <c>T1: a(x,1) a(x,2). T2: r(x,[2
    /// 1])</c>.</summary>
    IncompatibleOrder,

    /// <summary>Duplicate elements: a read saw one append twice. <c>T1: a(x,1). T2: r(x,[1 1])</c>.</summary>
    DuplicateElements,

    /// <summary>
    /// Garbage read: a read saw what nobody wrote. <c>T1: r(x,[7])</c>, and no transaction appends 7 to x.
    /// </summary>
    GarbageRead,

    /// <summary>
    /// Cyclic versions: what is known of a register's versions puts one before itself. <c>T1: r(x,1) w(x,2). T2: r(x,2)
    /// w(x,1)</c>. That key's version order is then not used.
    /// </summary>
    CyclicVersions,
}
