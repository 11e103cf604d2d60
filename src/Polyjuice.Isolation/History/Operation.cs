namespace Polyjuice.Isolation;

/// <summary>
/// One line of a history, in Jepsen's format: a client asked for a transaction, or was told how it ended.
/// </summary>
/// <param name="Index">
/// Its place in the history. Real time is judged by it alone: who
/// completed at a lower index than another was invoked at comes before it.
/// </param>
/// <param name="Type">What it says.</param>
/// <param name="Process">A client that runs one transaction at a time.</param>
/// <param name="Time">When, in nanoseconds since the start of the run; for people, never judged.</param>
/// <param name="Value">
/// The transaction. A <see cref="OperationType.Fail"/> or <see cref="OperationType.Info"/> may be empty: its invocation
/// says what it was. An <see cref="OperationType.Info"/> whose register reads have values says what they saw, which
/// counts if the transaction took effect: for who records where the data is, and knows more than a client.
/// </param>
/// <param name="Function">What a client called; "txn" for what the checker looks at.</param>
internal sealed record Operation(
    long Index, OperationType Type, int Process, long Time, IReadOnlyList<MicroOp> Value, string Function = "txn");
