namespace Polyjuice.Isolation;

/// <summary>An invocation together with its completion.</summary>
/// <param name="Number">
/// Counts transactions in the order of their invocations, from 0; explanations call it T0, T1, ….
/// </param>
/// <param name="Process">Its client.</param>
/// <param name="InvokeIndex">Where in the history it began.</param>
/// <param name="CompleteIndex">Where its client was told, or null if never.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="MicroOps">
/// Its steps in order; reads have results if it committed, or if its completion says what they saw all the same.
/// </param>
internal sealed record Transaction(
    int Number, int Process, long InvokeIndex, long? CompleteIndex, TransactionOutcome Outcome,
    IReadOnlyList<MicroOp> MicroOps)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"T{Number} {Outcome.ToString().ToLowerInvariant()}: {string.Join(", ", MicroOps)}";
}
