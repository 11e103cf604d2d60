namespace Polyjuice.Isolation;

/// <summary>One thing that should not have happened. Immutable, so any thread may use it.</summary>
public sealed class Anomaly
{
    internal Anomaly(
        AnomalyKind kind, IReadOnlyList<Transaction> transactions, IReadOnlyList<CycleStep> cycle, string explanation)
    {
        Kind = kind;
        Transactions = transactions;
        Cycle = cycle;
        Explanation = explanation;
    }

    /// <summary>Which one.</summary>
    public AnomalyKind Kind { get; }

    /// <summary>Why it is one, in words: the transactions that took part, and what each saw and wrote.</summary>
    public string Explanation { get; }

    /// <summary>Who took part.</summary>
    internal IReadOnlyList<Transaction> Transactions { get; }

    /// <summary>For a cycle, its edges; the last one leads back to the first transaction. Otherwise empty.</summary>
    internal IReadOnlyList<CycleStep> Cycle { get; }

    /// <inheritdoc/>
    public override string ToString() => $"{AnomalyNames.Of(Kind)}: {Explanation}";
}
