namespace Polyjuice.Isolation;

/// <summary>Why a transaction comes before another.</summary>
internal enum DependencyKind
{
    /// <summary>The second overwrote what the first wrote.</summary>
    WriteWrite,

    /// <summary>The second read what the first wrote.</summary>
    WriteRead,

    /// <summary>The second overwrote what the first read.</summary>
    ReadWrite,

    /// <summary>One process ran the first and then the second.</summary>
    Process,

    /// <summary>The first was told before the second began.</summary>
    RealTime,
}

/// <summary>One edge of a cycle.</summary>
/// <param name="From">Who comes first.</param>
/// <param name="To">Who comes after.</param>
/// <param name="Kind">Why.</param>
/// <param name="Key">Where, for a data dependency.</param>
/// <param name="Reason">In words.</param>
internal sealed record CycleStep(Transaction From, Transaction To, DependencyKind Kind, HistoryKey? Key, string Reason);
