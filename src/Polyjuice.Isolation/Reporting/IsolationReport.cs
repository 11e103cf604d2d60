namespace Polyjuice.Isolation;

/// <summary>What a history shows. Immutable, so any thread may use it.</summary>
public sealed class IsolationReport
{
    internal IsolationReport(
        ConsistencyModel model, IReadOnlyList<Anomaly> anomalies, IReadOnlyDictionary<AnomalyKind, int> counts,
        HistorySize size)
    {
        Model = model;
        Anomalies = anomalies;
        Counts = counts;
        Size = size;
        FailedModels = [.. Enum.GetValues<ConsistencyModel>().Where(m => m <= model && !Holds(m))];
    }

    /// <summary>What was asked for; nothing stronger was checked.</summary>
    public ConsistencyModel Model { get; }

    /// <summary>Whether the history shows nothing that <see cref="Model"/> forbids.</summary>
    public bool IsValid => Holds(Model);

    /// <summary>The anomalies found, worst first; at most <see cref="CheckOptions.ExamplesMax"/> of a kind.</summary>
    public IReadOnlyList<Anomaly> Anomalies { get; }

    /// <summary>
    /// How many of each kind were found; for cycles, how many strongly connected components have one.
    /// </summary>
    public IReadOnlyDictionary<AnomalyKind, int> Counts { get; }

    /// <summary>The models up to <see cref="Model"/> that the history breaks, weakest first.</summary>
    public IReadOnlyList<ConsistencyModel> FailedModels { get; }

    /// <summary>How much was looked at.</summary>
    internal HistorySize Size { get; }

    /// <summary>Whether the history shows nothing that <paramref name="model"/> forbids.</summary>
    /// <param name="model">At most <see cref="Model"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">The model is stronger than the one checked.</exception>
    public bool Holds(ConsistencyModel model)
    {
        if (model > Model)
            throw new ArgumentOutOfRangeException(nameof(model), model, $"only {AnomalyNames.Of(Model)} was checked");
        return !Counts.Keys.Any(kind => ConsistencyModels.Forbids(model, kind));
    }

    /// <summary>The verdict and every anomaly, for people.</summary>
    public override string ToString()
    {
        if (Counts.Count == 0) return $"{AnomalyNames.Of(Model)} holds: {Size}";
        var kinds = string.Join(", ", Counts.OrderBy(c => c.Key).Select(c => $"{AnomalyNames.Of(c.Key)} ×{c.Value}"));
        var fails = FailedModels.Count == 0
            ? $"{AnomalyNames.Of(Model)} holds"
            : $"not {string.Join(", not ", FailedModels.Select(AnomalyNames.Of))}";
        return $"{fails}: {kinds} in {Size}{string.Concat(Anomalies.Select(a => $"{Environment.NewLine}{a}"))}";
    }
}

/// <summary>How much a check looked at.</summary>
/// <param name="Committed">Transactions that committed.</param>
/// <param name="Aborted">Transactions that aborted.</param>
/// <param name="Unknown">Transactions of unknown outcome.</param>
/// <param name="Edges">Edges of the dependency graph, helpers included.</param>
internal sealed record HistorySize(int Committed, int Aborted, int Unknown, int Edges)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Committed} committed, {Aborted} aborted, {Unknown} unknown, {Edges} edges";
}
