namespace Tpcc.Workload;

/// <summary>What terminals do for a while.</summary>
/// <param name="Mix">The transactions, and how many of each.</param>
public sealed record TpccPhase(TransactionMix Mix)
{
    /// <summary>The standard's.</summary>
    public static TpccPhase Standard { get; } = new(TransactionMix.Standard);

    /// <summary>
    /// Zipfian skew of the choice of customers and items; <see langword="null"/> for the standard's (clause 2.1.6).
    /// </summary>
    public double? Theta { get; init; }

    /// <summary>
    /// In so many warehouses, the first ones, <see cref="RemotePercent"/> takes the place of what the standard says; in
    /// the others nothing is remote. <see langword="null"/>: the standard's everywhere.
    /// </summary>
    public int? RemoteWarehouses { get; init; }

    /// <summary>
    /// How many percent of the orders have a line that another warehouse
    /// supplies, and of the payments are of another's customer; 0 to 100.
    /// </summary>
    public int RemotePercent { get; init; }
}
