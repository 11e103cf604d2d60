namespace Polyjuice.Isolation;

/// <summary>One thing that should not have happened.</summary>
/// <param name="Kind">Its name.</param>
/// <param name="Transactions">Who took part.</param>
/// <param name="Cycle">
/// For a cycle, its edges; the last one leads back to the first transaction. Otherwise empty.
/// </param>
/// <param name="Explanation">Why it is one, in words.</param>
public sealed record Anomaly(
    AnomalyKind Kind, IReadOnlyList<Transaction> Transactions, IReadOnlyList<CycleStep> Cycle, string Explanation)
{
    /// <inheritdoc/>
    public override string ToString() => $"{AnomalyNames.Of(Kind)}: {Explanation}";
}
