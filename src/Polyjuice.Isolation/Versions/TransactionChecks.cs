namespace Polyjuice.Isolation;

/// <summary>
/// Anomalies within one transaction, and lost updates, which need only what each transaction read first.
/// </summary>
internal sealed class TransactionChecks(KeyTable table, AnomalyLog log)
{
    private readonly Dictionary<HistoryKey, Expectation> _expected = [];
    private readonly Dictionary<(int Key, long? Version), int> _updates = [];

    public void Run(Transaction transaction)
    {
        if (transaction.Outcome != TransactionOutcome.Committed) return;
        _expected.Clear();
        foreach (var op in transaction.MicroOps)
        {
            if (!_expected.TryGetValue(op.Key, out var expectation))
                _expected.Add(op.Key, expectation = new Expectation(table[op.Key]));
            if (op.Kind != MicroOpKind.Read)
            {
                if (expectation.TakeUpdate(out var version)) CheckUpdate(transaction.Number, expectation.Key, version);
                expectation.Write(op.Value!.Value);
                continue;
            }

            if (expectation.Contradicts(table, op) is { } expected)
                log.Add(
                    AnomalyKind.Internal,
                    () =>
                        $"T{transaction.Number} read {Reasons.Result(op)} from {table[op.Key]}, and by its own earlier "
                        + $"steps it must be {expected}.\n    {transaction}",
                    transaction.Number);
            CheckFuture(transaction, op, expectation);
            expectation.Read(table, op);
        }
    }

    private void CheckUpdate(int transaction, KeyData key, long? version)
    {
        if (_updates.TryAdd((key.Id, version), transaction)) return;
        var first = _updates[(key.Id, version)];
        var read = version is null
            ? "its initial state"
            : $"it with {version}{(key.IsList ? " as the last element" : "")}";
        log.Add(
            AnomalyKind.LostUpdate,
            () =>
                $"T{first} and T{transaction} both read {key}, {read}, and then both wrote it: one of the updates is "
                + $"based on a state that the other replaced.\n    {table.Transactions[first]}\n    "
                + $"{table.Transactions[transaction]}",
            first,
            transaction);
    }

    private void CheckFuture(Transaction transaction, MicroOp op, Expectation expectation)
    {
        var seen = op.List ?? (op.Value is { } value ? [value] : []);
        foreach (var element in seen)
        {
            if (!expectation.Key.Writers.TryGetValue(element, out var written)
                || written.Transaction != transaction.Number || expectation.Wrote(element))
                continue;
            log.Add(
                AnomalyKind.FutureRead,
                () =>
                    $"T{transaction.Number} read {Reasons.Result(op)} from {expectation.Key}, and wrote {element} "
                    + $"there only later.\n    {transaction}",
                transaction.Number);
            return;
        }
    }

    /// <summary>What a transaction must see at a key, by its own earlier steps.</summary>
    private sealed class Expectation(KeyData key)
    {
        private readonly List<long> _own = [];
        private IReadOnlyList<long>? _base;
        private int _ownBeforeBase;
        private bool _isKnown;
        private long? _value;
        private (bool Has, long? Version) _update;

        public KeyData Key { get; } = key;

        public bool Wrote(long value) => _own.Contains(value);

        public void Write(long value)
        {
            _own.Add(value);
            if (Key.IsList) return;
            _isKnown = true;
            _value = value;
        }

        public void Read(KeyTable table, MicroOp op)
        {
            if (_own.Count == 0 && !_isKnown)
            {
                var version = Key.IsList
                    ? (op.List is { Count: > 0 } list ? list[^1] : null)
                    : table.IsInitial(Key, op.Value) ? null : op.Value;
                _update = (true, version);
            }

            _isKnown = true;
            _value = op.Value;
            _base = ListReads.Elements(op);
            _ownBeforeBase = _own.Count;
        }

        /// <summary>True once: at the first write after a read that came before any write.</summary>
        public bool TakeUpdate(out long? version)
        {
            version = _update.Version;
            var has = _update.Has && _own.Count == 0;
            _update = default;
            return has;
        }

        /// <summary>What had to be there, or null if the read fits.</summary>
        public string? Contradicts(KeyTable table, MicroOp op)
        {
            if (!Key.IsList)
            {
                if (!_isKnown || _value == op.Value || (table.IsInitial(Key, _value) && table.IsInitial(Key, op.Value)))
                    return null;
                return _value?.ToString() ?? "the initial state";
            }

            var list = ListReads.Elements(op);
            if (_isKnown)
            {
                var own = _own.Count - _ownBeforeBase;
                if (own == 0 && ReferenceEquals(list, _base)) return null;
                if (list.Count == _base!.Count + own && list.Take(_base.Count).SequenceEqual(_base)
                    && list.Skip(_base.Count).SequenceEqual(_own.Skip(_ownBeforeBase)))
                    return null;
                return $"[{string.Join(' ', _base.Concat(_own.Skip(_ownBeforeBase)))}]";
            }

            if (_own.Count == 0 || (list.Count >= _own.Count && list.Skip(list.Count - _own.Count).SequenceEqual(_own)))
                return null;
            return $"[… {string.Join(' ', _own)}]";
        }
    }
}
