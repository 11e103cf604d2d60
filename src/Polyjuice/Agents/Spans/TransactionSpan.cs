using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Agents.Spans;

/// <summary>
/// The activity of one transaction, from its coming to the engine until its caller is told. On the engine's turn.
/// </summary>
internal sealed class TransactionSpan
{
    private AbortInfo? _abort;
    private bool _isDeclined;

    private TransactionSpan(Activity activity) => Activity = activity;

    public Activity Activity { get; }

    /// <summary>Attempts that have ended.</summary>
    public int Attempts { get; private set; }

    /// <summary>Begins it, as part of whatever activity is ambient to who has started the transaction.</summary>
    /// <param name="type">The transaction's type.</param>
    /// <param name="now">On the engine's clock.</param>
    /// <returns><see langword="null"/> if nobody wants it.</returns>
    public static TransactionSpan? Begin(string type, long now)
    {
        if (SpanSource.Start(type, parent: null, now) is not { } activity) return null;
        activity.SetTag(SpanNames.Type, type);
        return new(activity);
    }

    /// <summary>An attempt has ended.</summary>
    public void Attempted(LocalTransaction transaction, int attempt)
    {
        Attempts = attempt;
        Activity.SetTag(SpanNames.Id, transaction.Id.ToString());
        Activity.SetTag(SpanNames.PolicyVersion, transaction.Policy.Version);
    }

    /// <summary>There is to be no other attempt, or not even one.</summary>
    /// <param name="abort">What the caller is told.</param>
    /// <param name="isDeclined">Whether that is what the application wanted.</param>
    public void Refused(AbortInfo abort, bool isDeclined) => (_abort, _isDeclined) = (abort, isDeclined);

    /// <summary>Its caller is being told.</summary>
    /// <param name="failure">What of.</param>
    /// <param name="held">For how long it was held back before its first attempt, in microseconds.</param>
    /// <param name="now">On the engine's clock.</param>
    public void End(Exception? failure, long held, long now)
    {
        Activity.SetTag(SpanNames.Attempts, Attempts);
        if (held > 0) Activity.SetTag(SpanNames.Held, held / 1e6);
        if (failure is null) SpanOutcome.Set(Activity, abort: null, isDeclined: false);
        else if (_abort is not null) SpanOutcome.Set(Activity, _abort, _isDeclined);
        else Activity.SetTag(SpanNames.Outcome, "aborted").SetStatus(ActivityStatusCode.Error, failure.GetType().Name);
        SpanSource.Stop(Activity, now);
    }
}
