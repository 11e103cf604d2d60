namespace Polyjuice.Contracts;

/// <summary>What follows from the reason alone.</summary>
internal static class AbortReasonExtensions
{
    /// <summary>How many reasons there are: their numbers are all below.</summary>
    public static readonly int Count = Enum.GetValues<AbortReason>().Length;

    /// <summary>Whether another transaction was in the way.</summary>
    public static bool IsConflict(this AbortReason reason) =>
        reason is AbortReason.Validation or AbortReason.EarlyValidation or AbortReason.Timestamp or AbortReason.Cascade
            or AbortReason.Deadlock or AbortReason.WaitDeadline
                or AbortReason.Yielded or AbortReason.Wounded;
}
