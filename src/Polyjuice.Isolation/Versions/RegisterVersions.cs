namespace Polyjuice.Isolation;

/// <summary>
/// What is known of the order of a register's versions: the initial one comes first; a transaction's write comes after
/// what it read of the key before, and after its own earlier writes; a given order; and, if keys are assumed to be
/// linearizable, real time. Version 0 is the initial one.
/// </summary>
internal sealed class RegisterVersions
{
    private readonly KeyTable _table;
    private readonly KeyData _key;
    private readonly Dictionary<long, int> _ids = [];
    private readonly HashSet<(int From, int To)> _order = [];

    public RegisterVersions(KeyTable table, KeyData key, IReadOnlyList<Transaction> accessors)
    {
        _table = table;
        _key = key;
        foreach (var read in key.Reads) Id(read.Op.Value);
        var spans = new List<VersionSpan>();
        foreach (var transaction in accessors)
        {
            if (Follow(transaction) is { } span) spans.Add(span);
        }

        if (table.Options.VersionOrders.TryGetValue(key.Key, out var given)) Chain(given);
        if (table.Options.LinearizableKeys) VersionSpan.Order(spans, AddOrder);
        Cycle = FindCycle();
        if (Cycle is not null) _order.Clear();
        else OrderInitial();
    }

    /// <summary>By version: its value.</summary>
    public List<long?> Values { get; } = [null];

    /// <summary>Direct successors.</summary>
    public IEnumerable<(int From, int To)> Order => _order;

    /// <summary>Versions that precede themselves; then there is no order.</summary>
    public IReadOnlyList<int>? Cycle { get; }

    public int Id(long? value)
    {
        if (_table.IsInitial(_key, value)) return 0;
        if (_ids.TryAdd(value!.Value, Values.Count)) Values.Add(value);
        return _ids[value.Value];
    }

    /// <summary>Orders what one transaction saw and wrote; returns the versions at which it entered and left.</summary>
    private VersionSpan? Follow(Transaction transaction)
    {
        if (!_table.TookEffect(transaction.Number)) return null;
        var isCommitted = transaction.Outcome == TransactionOutcome.Committed;
        int? first = null, current = null;
        foreach (var op in transaction.MicroOps)
        {
            if (op.Key != _key.Key || (op.Kind == MicroOpKind.Read && !isCommitted && op.Value is null)) continue;
            var version = Id(op.Value);
            if (op.Kind == MicroOpKind.Write && current is { } before) AddOrder(before, version);

            // A later read is either the same version or an internal anomaly, of which nothing follows.
            current = op.Kind == MicroOpKind.Write ? version : current ?? version;
            first ??= version;
        }

        return first is null
            ? null
            : new VersionSpan(
                transaction.InvokeIndex, isCommitted ? transaction.CompleteIndex : null, first.Value, current!.Value);
    }

    private void Chain(IReadOnlyList<long> given)
    {
        var last = 0;
        foreach (var value in given)
        {
            if (_table.EffectiveWriter(_key, value) < 0) continue;
            var version = Id(value);
            AddOrder(last, version);
            last = version;
        }
    }

    private void AddOrder(int from, int to)
    {
        if (from != to) _order.Add((from, to));
    }

    private void OrderInitial()
    {
        var hasEarlier = new bool[Values.Count];
        foreach (var (_, to) in _order) hasEarlier[to] = true;
        for (var version = 1; version < Values.Count; version++)
        {
            if (!hasEarlier[version]) _order.Add((0, version));
        }
    }

    private int[]? FindCycle()
    {
        var (from, to, label) = (new List<int>(), new List<int>(), new List<int>());
        foreach (var (a, b) in _order)
        {
            from.Add(a);
            to.Add(b);
            label.Add(EdgeKind.Ww);
        }

        // Every version comes after the initial one, so an order before that closes a cycle.
        for (var version = 1; version < Values.Count; version++)
        {
            from.Add(0);
            to.Add(version);
            label.Add(EdgeKind.Ww);
        }

        var graph = CompactGraph.Of(Values.Count, from, to, label);
        return Components.Of(graph, 1 << EdgeKind.Ww) is [var component, ..] ? component : null;
    }
}
