namespace Polyjuice.Isolation;

/// <summary>Counts anomalies, and keeps the first few of each kind.</summary>
internal sealed class AnomalyLog(KeyTable table)
{
    private readonly SortedDictionary<AnomalyKind, List<Anomaly>> _examples = [];

    public Dictionary<AnomalyKind, int> Counts { get; } = [];

    public IReadOnlyList<Anomaly> Anomalies => [.. _examples.Values.SelectMany(e => e)];

    /// <param name="kind">Its name.</param>
    /// <param name="explain">Called only for those that are kept.</param>
    /// <param name="transactions">Who took part.</param>
    public void Add(AnomalyKind kind, Func<string> explain, params ReadOnlySpan<int> transactions)
    {
        if (Count(kind) is not { } examples) return;
        var involved = new List<Transaction>();
        foreach (var transaction in transactions) involved.Add(table.Transactions[transaction]);
        examples.Add(new Anomaly(kind, involved, [], explain()));
    }

    public void AddCycle(AnomalyKind kind, Func<IReadOnlyList<CycleStep>> explain)
    {
        if (Count(kind) is not { } examples) return;
        var cycle = explain();
        examples.Add(new Anomaly(kind, [.. cycle.Select(s => s.From)], cycle, CycleText.Of(cycle)));
    }

    private List<Anomaly>? Count(AnomalyKind kind)
    {
        Counts[kind] = Counts.GetValueOrDefault(kind) + 1;
        if (!_examples.TryGetValue(kind, out var examples)) _examples.Add(kind, examples = []);
        return examples.Count < table.Options.ExamplesMax ? examples : null;
    }
}
