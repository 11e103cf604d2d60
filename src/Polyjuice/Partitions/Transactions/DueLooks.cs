using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What time brings to transactions and decisions: each is looked at when something is due, or when its agent is done
/// with it, and never because a tick comes. Ticks come two hundred times a second, and transactions may be many.
/// </summary>
/// <param name="context">Whose.</param>
/// <param name="agents">Who says which attempts are done with.</param>
/// <param name="look">
/// Looks at a transaction, and says when again. Whoever looks may go on with any part of the engine, and most of them
/// have something looked at: hence a callback.
/// </param>
internal sealed class DueLooks(EngineContext context, KnownAgents agents, Func<LocalTransaction, long, long> look)
{
    private readonly DueWheel<LocalTransaction> _dueTransactions = new(context.Options.TickMicroseconds, look);

    private readonly DueWheel<Decision> _dueDecisions = new(
        context.Options.TickMicroseconds, static (decision, now) => decision.Owner!.Look(decision, now));

    /// <summary>
    /// Transactions here that have lasted, by agent: to be looked at when its oldest live one has passed them (R1c).
    /// </summary>
    private readonly Dictionary<NodeId, PriorityQueue<LocalTransaction, long>> _awaitedAgents = [];

    /// <summary>How often something was looked at.</summary>
    public long Looks => _dueTransactions.Looks + _dueDecisions.Looks;

    /// <summary>
    /// Time may have to do with it from now on: it is looked at in the tick after the next, which finds out what is
    /// due when.
    /// </summary>
    public void LookAfter(LocalTransaction transaction)
    {
        if (!transaction.AwaitsAgent) _dueTransactions.AddSoon(transaction);
    }

    /// <summary>A manager's decision was made.</summary>
    public void LookAfter(Decision decision) =>
        _dueDecisions.Add(decision, decision.Touched + context.Options.ResendMicroseconds);

    /// <summary>Something about it is due earlier than what was known.</summary>
    public void Hasten(LocalTransaction transaction, long due) => _dueTransactions.Add(transaction, due);

    /// <summary>It is looked at no more, if nothing of it is left.</summary>
    public void RestIfDone(LocalTransaction transaction)
    {
        if (transaction.IsAtRest) _dueTransactions.Remove(transaction);
    }

    /// <summary>It was forgotten.</summary>
    public void Rest(Decision decision) => _dueDecisions.Remove(decision);

    public void Tick(long now)
    {
        _dueTransactions.Tick(now);
        TickAwaitedAgents(now);
        _dueDecisions.Tick(now);
    }

    public void AwaitAgent(LocalTransaction transaction)
    {
        var node = transaction.Id.Node;
        if (!_awaitedAgents.TryGetValue(node, out var awaiting)) _awaitedAgents.Add(node, awaiting = new());
        transaction.AwaitsAgent = true;
        awaiting.Enqueue(transaction, transaction.Id.Sequence);
    }

    private void TickAwaitedAgents(long now)
    {
        foreach (var (node, awaiting) in _awaitedAgents)
        {
            // A look adds to none of these: the agent is done with what is looked at.
            var oldestLive = agents.OldestLiveOf(node);
            while (awaiting.TryPeek(out var transaction, out var sequence) && sequence < oldestLive)
            {
                awaiting.Dequeue();
                transaction.AwaitsAgent = false;
                if (transaction.IsAtRest) continue;
                _dueTransactions.Remove(transaction);
                var due = look(transaction, now);
                if (due != DueWheel<LocalTransaction>.Never) _dueTransactions.Add(transaction, due);
            }

            if (awaiting.Count == 0) _awaitedAgents.Remove(node);
            else agents.AskForNews(node);
        }
    }
}
