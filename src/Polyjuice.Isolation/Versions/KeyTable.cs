using System.Runtime.InteropServices;

namespace Polyjuice.Isolation;

/// <summary>A history by key, and which transactions took effect.</summary>
internal sealed class KeyTable
{
    private readonly Dictionary<HistoryKey, KeyData> _byKey = [];
    private readonly bool[] _seen;
    private readonly Queue<Transaction> _newlySeen = [];

    public KeyTable(History history, CheckOptions options)
    {
        Transactions = history.Transactions;
        Options = options;
        _seen = new bool[Transactions.Count];
        var kinds = KeyKinds.Of(Transactions, options.VersionOrders);
        foreach (var transaction in Transactions) Index(transaction, kinds);
        foreach (var (key, order) in options.VersionOrders)
        {
            if (!_byKey.TryGetValue(key, out var data)) continue;
            foreach (var value in order) See(data, value);
        }

        foreach (var data in Keys) FindOrder(data);
        TakeReadsOfUnknown();
    }

    public IReadOnlyList<Transaction> Transactions { get; }

    public CheckOptions Options { get; }

    public List<KeyData> Keys { get; } = [];

    public KeyData this[HistoryKey key] => _byKey[key];

    /// <summary>
    /// Whether it is certain that it took effect: it was told, or somebody committed who read a write of it. An unknown
    /// transaction of which nothing is seen says nothing.
    /// </summary>
    public bool TookEffect(int transaction) => Transactions[transaction].Outcome switch
    {
        TransactionOutcome.Committed => true,
        TransactionOutcome.Unknown => _seen[transaction],
        _ => false,
    };

    /// <summary>The transaction that wrote a value and took effect, or -1.</summary>
    public int EffectiveWriter(KeyData key, long value) =>
        key.Writers.TryGetValue(value, out var written) && TookEffect(written.Transaction) ? written.Transaction : -1;

    /// <summary>Whether a register's read saw what was there before anyone wrote.</summary>
    public bool IsInitial(KeyData key, long? value) =>
        value is null || (value == Options.InitialValue && !key.Writers.ContainsKey(value.Value));

    /// <summary>Who uses a register, in the order of invocations.</summary>
    public IReadOnlyList<Transaction> Accessors(KeyData key) => key.Accessors.ConvertAll(t => Transactions[t]);

    private void Index(Transaction transaction, Dictionary<HistoryKey, bool> kinds)
    {
        foreach (var op in transaction.MicroOps)
        {
            if (!_byKey.TryGetValue(op.Key, out var data))
            {
                data = new KeyData(Keys.Count, op.Key, kinds[op.Key]);
                _byKey.Add(op.Key, data);
                Keys.Add(data);
            }

            if (!data.IsList && (data.Accessors.Count == 0 || data.Accessors[^1] != transaction.Number))
                data.Accessors.Add(transaction.Number);
            if (op.Kind != MicroOpKind.Read)
            {
                data.Writers.Add(op.Value!.Value, new Written(transaction.Number, IsFinal: true));
                data.Writes.Add((transaction.Number, op.Value.Value));
            }
            else if (transaction.Outcome == TransactionOutcome.Committed)
                data.Reads.Add(new ReadAt(transaction.Number, op));
        }

        MarkIntermediate(transaction);
    }

    private void MarkIntermediate(Transaction transaction)
    {
        var last = new Dictionary<HistoryKey, long>();
        foreach (var op in transaction.MicroOps)
        {
            if (op.Kind == MicroOpKind.Read) continue;
            if (last.TryGetValue(op.Key, out var before))
                CollectionsMarshal.GetValueRefOrNullRef(_byKey[op.Key].Writers, before).IsFinal = false;
            last[op.Key] = op.Value!.Value;
        }
    }

    private void FindOrder(KeyData data)
    {
        if (!data.IsList)
        {
            foreach (var read in data.Reads) See(data, read.Op.Value);
            return;
        }

        IReadOnlyList<long> longest = [];
        foreach (var read in data.Reads)
        {
            if (read.Op.List is { } list && list.Count > longest.Count) longest = list;
        }

        // A true order may end before the longest read does, if it was taken earlier.
        if (Options.VersionOrders.TryGetValue(data.Key, out var given) && given.Count >= longest.Count) longest = given;
        data.Positions = new Dictionary<long, int>(longest.Count);
        foreach (var element in longest) data.Positions.TryAdd(element, data.Positions.Count);
        data.Order = [.. data.Positions.OrderBy(p => p.Value).Select(p => p.Key)];
        foreach (var element in data.Order) See(data, element);
        foreach (var read in data.Reads)
        {
            if (read.Op.List is not { } list || ListReads.IsPrefix(list, data.Order)) continue;
            foreach (var element in list) See(data, element);
        }
    }

    private void See(KeyData data, long? value)
    {
        if (value is not { } known || !data.Writers.TryGetValue(known, out var written)) return;
        if (_seen[written.Transaction]) return;
        _seen[written.Transaction] = true;
        _newlySeen.Enqueue(Transactions[written.Transaction]);
    }

    /// <summary>
    /// What a transaction of unknown outcome read counts if it took effect and its history says what that was. Whoever
    /// wrote that has taken effect then, too. A read without a value says nothing here, not even that it saw the
    /// initial state.
    /// </summary>
    private void TakeReadsOfUnknown()
    {
        while (_newlySeen.TryDequeue(out var transaction))
        {
            if (transaction.Outcome != TransactionOutcome.Unknown) continue;
            foreach (var op in transaction.MicroOps)
            {
                if (op.Kind != MicroOpKind.Read || op.Value is not { } value
                    || _byKey[op.Key] is not { IsList: false } data)
                    continue;
                data.Reads.Add(new ReadAt(transaction.Number, op));
                See(data, value);
            }
        }
    }
}
