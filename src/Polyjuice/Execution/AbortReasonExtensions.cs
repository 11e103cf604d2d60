namespace Polyjuice.Execution;

/// <summary>What follows from the reason alone.</summary>
internal static class AbortReasonExtensions
{
    /// <summary>Whether another transaction was in the way.</summary>
    public static bool IsConflict(this AbortReason reason) =>
        reason is AbortReason.Validation or AbortReason.EarlyValidation or AbortReason.Timestamp or AbortReason.Cascade or AbortReason.Deadlock or AbortReason.WaitDeadline;
}
