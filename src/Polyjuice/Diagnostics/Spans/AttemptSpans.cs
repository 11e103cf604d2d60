using System.Diagnostics;
using Polyjuice.Execution;

namespace Polyjuice.Diagnostics.Spans;

/// <summary>
/// The activities of an engine's live attempts. Apart from the attempts, which would all be larger for it; where nobody
/// listens, it is empty. On the engine's turn.
/// </summary>
internal sealed class AttemptSpans(TransactionEngine engine)
{
    private readonly Dictionary<TransactionId, AttemptSpan> _live = [];

    /// <summary>Whether there are any: otherwise nothing else need be asked.</summary>
    public bool Any => _live.Count > 0;

    /// <summary>That of an attempt, if it has one.</summary>
    public AttemptSpan? Of(LocalTransaction transaction) => Any ? _live.GetValueOrDefault(transaction.Id) : null;

    /// <summary>An attempt, or a dry run, begins.</summary>
    public void Begin(TransactionRequest request, LocalTransaction transaction)
    {
        if (request is not TracedRequest { Span: var whole }) return;
        var name = transaction.DryRun is null ? SpanNames.Attempt : SpanNames.DryRun;
        if (SpanSource.Start(name, whole.Activity, engine.Now) is not { } activity) return;
        activity.SetTag(SpanNames.Id, transaction.Id.ToString());
        activity.SetTag(SpanNames.Type, transaction.Type);
        activity.SetTag(SpanNames.AttemptNumber, whole.Attempts + 1);
        activity.SetTag(SpanNames.PolicyVersion, transaction.Policy.Version);
        _live.Add(transaction.Id, new(activity));
    }

    /// <summary>It is over.</summary>
    public void End(AgentTransaction agent, bool isDeclined)
    {
        if (_live.Remove(agent.Transaction.Id, out var span)) span.End(agent, isDeclined, engine.Now);
    }

    /// <summary>The end of a wait, of which an activity tells if anybody wants it.</summary>
    /// <param name="wait">It has begun.</param>
    public Task<WaitOutcome> Await(Wait wait)
    {
        // The agent of one that has come from another silo is there: then the call is ambient, if calls are activities.
        var parent = Of(wait.Waiter)?.Activity ?? Activity.Current;
        if (parent is null || wait.IsDone) return wait.Completion;
        var other = Of(wait.Target)?.Activity;
        var link = other is { Recorded: true } ? other.Context : default;
        if (SpanSource.Start(SpanNames.Wait, parent, wait.StartedAt, link) is not { } activity) return wait.Completion;
        activity.SetTag(SpanNames.ConflictId, wait.Target.Id.ToString());
        activity.SetTag(SpanNames.ConflictType, wait.Target.Type);
        activity.SetTag(SpanNames.WaitSite, engine.SiteName(wait.SiteId));
        return AwaitAsync(wait, activity);
    }

    private async Task<WaitOutcome> AwaitAsync(Wait wait, Activity activity)
    {
        var outcome = await wait.Completion;
        activity.SetTag(SpanNames.WaitOutcome, outcome == WaitOutcome.Satisfied ? "satisfied" : "aborted");
        SpanSource.Stop(activity, engine.Now);
        return outcome;
    }
}
