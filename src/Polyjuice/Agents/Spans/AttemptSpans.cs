using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents.Spans;

/// <summary>
/// The activities of an engine's live attempts. Apart from the attempts, which would all be larger for it; where nobody
/// listens, it is empty. On the engine's turn.
/// </summary>
internal sealed class AttemptSpans(EngineContext context, TablesInForce tables)
{
    private readonly Dictionary<TransactionId, AttemptSpan> _live = [];

    // Attempts of other nodes that have calls here.
    private readonly Dictionary<TransactionId, ActivityContext> _visiting = [];

    /// <summary>Whether there are any: otherwise nothing else need be asked.</summary>
    public bool Any => _live.Count > 0;

    /// <summary>How many attempts of other nodes are known with their place in a trace.</summary>
    public int Visiting => _visiting.Count;

    /// <summary>That of an attempt, if it has one.</summary>
    public AttemptSpan? Of(LocalTransaction transaction) => Any ? _live.GetValueOrDefault(transaction.Id) : null;

    /// <summary>An attempt's place in its trace, which goes along with its calls to other nodes.</summary>
    /// <returns><see langword="default"/> for one that is in no trace that anybody keeps.</returns>
    public ActivityContext ContextOf(LocalTransaction transaction)
    {
        if (Of(transaction)?.Activity is { } own) return own.Recorded ? own.Context : default;
        return _visiting.Count > 0 ? _visiting.GetValueOrDefault(transaction.Id) : default;
    }

    /// <summary>A call of an attempt of another node has come, with its place in its trace.</summary>
    public void Visits(LocalTransaction transaction, ActivityContext context)
    {
        if (context != default && transaction.Agent is null && SpanSource.IsOn) _visiting[transaction.Id] = context;
    }

    /// <summary>Nothing is known here of a transaction any more.</summary>
    public void Forget(LocalTransaction transaction)
    {
        if (_visiting.Count > 0) _visiting.Remove(transaction.Id);
    }

    /// <summary>An attempt, or a dry run, begins.</summary>
    public void Begin(TransactionRequest request, LocalTransaction transaction)
    {
        if (request is not TracedRequest { Span: var whole }) return;
        var name = transaction.DryRun is null ? SpanNames.Attempt : SpanNames.DryRun;
        if (SpanSource.Start(name, whole.Activity, context.Now) is not { } activity) return;
        activity.SetTag(SpanNames.Id, transaction.Id.ToString());
        activity.SetTag(SpanNames.Type, transaction.Type);
        activity.SetTag(SpanNames.AttemptNumber, whole.Attempts + 1);
        activity.SetTag(SpanNames.PolicyVersion, transaction.Policy.Version);
        _live.Add(transaction.Id, new(activity));
    }

    /// <summary>It is over.</summary>
    public void End(AgentTransaction agent, bool isDeclined)
    {
        if (_live.Remove(agent.Transaction.Id, out var span)) span.End(agent, isDeclined, context.Now);
    }

    /// <summary>The end of a wait, of which an activity tells if anybody wants it.</summary>
    /// <param name="wait">It has begun.</param>
    public Task<WaitOutcome> Await(Wait wait)
    {
        if (wait.IsDone) return wait.Completion;
        var (parent, remote) = ParentOf(wait.Waiter);
        if (parent is null && remote == default) return wait.Completion;
        var link = ContextOf(wait.Target);
        if (SpanSource.Start(SpanNames.Wait, parent, wait.StartedAt, link, remote) is not { } activity)
            return wait.Completion;
        activity.SetTag(SpanNames.ConflictId, wait.Target.Id.ToString());
        activity.SetTag(SpanNames.ConflictType, wait.Target.Type);
        activity.SetTag(SpanNames.WaitSite, tables.SiteName(wait.SiteId));
        return AwaitAsync(wait, activity);
    }

    // The agent of one that has come from another node is there. The call here is ambient, if calls are activities; an
    // activity of another trace is none of this transaction's.
    private (Activity? Here, ActivityContext Elsewhere) ParentOf(LocalTransaction transaction)
    {
        if (Of(transaction) is { } own) return (own.Activity, default);
        var attempt = ContextOf(transaction);
        var call = Activity.Current;
        return attempt == default || call?.TraceId == attempt.TraceId ? (call, default) : (null, attempt);
    }

    private async Task<WaitOutcome> AwaitAsync(Wait wait, Activity activity)
    {
        var outcome = await wait.Completion;
        activity.SetTag(SpanNames.WaitOutcome, outcome == WaitOutcome.Satisfied ? "satisfied" : "aborted");
        SpanSource.Stop(activity, context.Now);
        return outcome;
    }
}
