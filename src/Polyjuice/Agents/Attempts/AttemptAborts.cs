using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Ends attempts of this node, for their callers.</summary>
internal sealed class AttemptAborts(EngineContext context, Mail mail, EndedTransactions ended, Lifecycle lifecycle)
{
    /// <summary>Ends an attempt of which nothing was prepared.</summary>
    public void AbortRunning(AgentTransaction agent, AbortInfo abort)
    {
        var transaction = agent.Transaction;
        mail.SendToAll(transaction.Visited, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
        ended.Abandon(transaction.Id);
        Complete(agent, abort);
    }

    /// <summary>The attempt's outcome, as its caller hears it; <see langword="null"/> when it has committed.</summary>
    public void Complete(AgentTransaction agent, AbortInfo? abort)
    {
        if (!agent.IsComplete) context.Events?.Told(agent.Transaction, abort?.Reason, agent.Timestamp);
        agent.Complete(abort);
    }

    /// <summary>
    /// The attempt must end now, whatever its body does. Doomed for another reason before, it still waits for a body
    /// that may wait for what never comes, and would keep all that is younger from being forgotten (I4).
    /// </summary>
    public void GiveUp(AgentTransaction agent, AbortReason reason)
    {
        var transaction = agent.Transaction;
        lifecycle.Doom(transaction, reason, null);
        // What the user's code threw is not proven by reads of a body that still runs.
        if (transaction.Doom is { Reason: AbortReason.UserException } doom)
            transaction.Doom = doom with { Reason = reason };
        agent.Watch?.Abandon();
    }
}
