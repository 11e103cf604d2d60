using System.Diagnostics;
using Polyjuice.Contracts;

namespace Polyjuice.Agents.Spans;

/// <summary>How a transaction or an attempt has ended, as its activity says it.</summary>
internal static class SpanOutcome
{
    /// <summary>Writes it.</summary>
    /// <param name="activity">Whose.</param>
    /// <param name="abort">Why it did not commit; <see langword="null"/> if it did.</param>
    /// <param name="isDeclined">Whether the application wanted it aborted, which is no error.</param>
    public static void Set(Activity activity, AbortInfo? abort, bool isDeclined)
    {
        if (abort is null)
        {
            activity.SetTag(SpanNames.Outcome, "committed");
            return;
        }

        activity.SetTag(SpanNames.Outcome, isDeclined ? "declined" : abort.IsInDoubt ? "indoubt" : "aborted");
        if (isDeclined) return;
        activity.SetTag(SpanNames.AbortReason, abort.Reason.ToString());
        if (abort.OtherType is { } other) activity.SetTag(SpanNames.ConflictType, other);

        // Neither a grain's key nor the name of a row, which holds one.
        activity.SetStatus(ActivityStatusCode.Error, (abort with { Grain = null, LogFailure = null }).Describe());
    }
}
