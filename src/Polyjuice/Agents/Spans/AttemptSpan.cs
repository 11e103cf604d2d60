using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Reservations;

namespace Polyjuice.Agents.Spans;

/// <summary>The activity of one attempt, or of a dry run. On its agent's turn.</summary>
internal sealed class AttemptSpan(Activity activity)
{
    private TransactionId _conflict;
    private long _preparedAt;
    private long _sealedAt;

    public Activity Activity => activity;

    /// <summary>Another transaction is to blame that it can't commit.</summary>
    public void Conflicts(TransactionId other) => _conflict = other;

    /// <summary>Prepares go out.</summary>
    public void Prepares(long now) => _preparedAt = now;

    /// <summary>It is ordered everywhere, and has written something that must become durable.</summary>
    public void Awaits(long now) => _sealedAt = now;

    /// <summary>It is over.</summary>
    /// <param name="agent">Its agent's side.</param>
    /// <param name="isDeclined">Whether the application has wanted it aborted.</param>
    /// <param name="now">On the engine's clock.</param>
    public void End(AgentTransaction agent, bool isDeclined, long now)
    {
        // Known only now, and nothing is part of them: so they begin and end here.
        if (_preparedAt > 0) Add(SpanNames.Prepare, _preparedAt, _sealedAt > 0 ? _sealedAt : now);
        if (_sealedAt > 0) Add(SpanNames.Append, _sealedAt, now);
        if (agent.Transaction.DryRun is null)
        {
            SpanOutcome.Set(activity, agent.Result, isDeclined);
            if (agent.Result is not null && _conflict != default)
                activity.SetTag(SpanNames.ConflictId, _conflict.ToString());
        }

        SpanSource.Stop(activity, now);
    }

    /// <summary>Something that was part of it has come to its end.</summary>
    public void Add(string name, long from, long to)
    {
        if (SpanSource.Start(name, activity, from) is { } part) SpanSource.Stop(part, to);
    }
}
