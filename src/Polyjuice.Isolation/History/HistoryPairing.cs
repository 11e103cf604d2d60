namespace Polyjuice.Isolation;

/// <summary>Makes transactions of operations, and refuses what no client can have done.</summary>
internal static class HistoryPairing
{
    public static IReadOnlyList<Transaction> Pair(IReadOnlyList<Operation> operations)
    {
        var transactions = new List<Transaction>(operations.Count / 2);
        var open = new Dictionary<int, int>();
        var written = new HashSet<(HistoryKey, long)>();
        var last = long.MinValue;
        foreach (var operation in operations)
        {
            if (operation.Index <= last)
                throw new HistoryException(
                    operation.Index,
                    "index",
                    $"is not above the one before, {last}; number operations in the order in which they happened");
            last = operation.Index;
            if (operation.Type == OperationType.Invoke)
            {
                if (!open.TryAdd(operation.Process, transactions.Count))
                    throw new HistoryException(
                        operation.Index,
                        "process",
                        $"{operation.Process} is still running T{open[operation.Process]}; a process runs one "
                        + "transaction at a time");
                CheckUnique(operation, written);
                transactions.Add(
                    new Transaction(
                        transactions.Count, operation.Process, operation.Index, null, TransactionOutcome.Unknown,
                        operation.Value));
                continue;
            }

            if (!open.Remove(operation.Process, out var number))
                throw new HistoryException(
                    operation.Index, "process", $"{operation.Process} completes what it never invoked");
            transactions[number] = Complete(transactions[number], operation);
        }

        return transactions;
    }

    private static Transaction Complete(Transaction invoked, Operation operation)
    {
        var isOk = operation.Type == OperationType.Ok;
        if (isOk || operation.Value.Count > 0) CheckFits(invoked, operation);
        return invoked with
        {
            CompleteIndex = operation.Index,
            Outcome = operation.Type switch
            {
                OperationType.Ok => TransactionOutcome.Committed,
                OperationType.Fail => TransactionOutcome.Aborted,
                _ => TransactionOutcome.Unknown,
            },
            MicroOps = isOk || operation.Value.Count > 0 ? operation.Value : invoked.MicroOps,
        };
    }

    private static void CheckFits(Transaction invoked, Operation completion)
    {
        var (before, after) = (invoked.MicroOps, completion.Value);
        if (before.Count != after.Count)
            throw new HistoryException(
                completion.Index,
                "value",
                $"has {after.Count} steps, and its invocation at index {invoked.InvokeIndex} has {before.Count}");
        for (var i = 0; i < before.Count; i++)
        {
            if (before[i].Kind == after[i].Kind && before[i].Key == after[i].Key
                && (before[i].Kind == MicroOpKind.Read || before[i].Value == after[i].Value))
                continue;
            throw new HistoryException(
                completion.Index,
                $"value[{i}]",
                $"is '{after[i]}', and its invocation at index {invoked.InvokeIndex} says '{before[i]}'");
        }
    }

    /// <summary>
    /// Without this, who wrote what is read would be a guess; it holds for
    /// aborted transactions too, or an aborted read could not be told.
    /// </summary>
    private static void CheckUnique(Operation invocation, HashSet<(HistoryKey, long)> written)
    {
        for (var i = 0; i < invocation.Value.Count; i++)
        {
            var step = invocation.Value[i];
            if (step.Kind == MicroOpKind.Read) continue;
            if (step.Value is not { } value)
                throw new HistoryException(invocation.Index, $"value[{i}]", "writes nothing; give it a whole number");
            if (!written.Add((step.Key, value)))
                throw new HistoryException(
                    invocation.Index,
                    $"value[{i}]",
                    $"writes {value} to {step.Key}, which was written before; every write to a key needs a value of "
                    + "its own, repetitions of an aborted transaction too");
        }
    }
}
