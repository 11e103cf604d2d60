using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// Attempts that must not begin again here: given up by their agents or at this node before anything was prepared, or
/// known to an owner that this node was. Owners remember them too, but one that still recovers can't be told, and one
/// that is deposed takes its memory along, while another one of this node may serve the partition soon. A copy of a
/// call would run again there and be served (R1c), and what its body calls elsewhere would be done twice.
/// </summary>
internal sealed class EndedTransactions(
    EngineContext context, KnownAgents agents, LogOwners logs, RowOwners rows, TransactionTable transactions)
{
    private readonly HashSet<TransactionId> _ended = [];
    private long _endedForgottenAt;

    /// <summary>Whether no access of an attempt is to be served here any more, whatever owners know.</summary>
    public bool HasEnded(TransactionId id) => _ended.Contains(id);

    /// <summary>From now on, until its agent is done with it.</summary>
    public void RememberEnd(TransactionId id)
    {
        if (!agents.IsAgentDone(id)) _ended.Add(id);
    }

    /// <summary>The agent, or this node, has given it up before anything was prepared.</summary>
    public void Abandon(TransactionId id)
    {
        // Found before an owner ends it: that may be the last that is heard of it by its name, and its rows would keep
        // what it has there.
        var transaction = transactions.Find(id);
        RememberEnd(id);
        logs.Abandon(id);
        if (transaction is null || !rows.Any) return;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner.IsRow) branch.Owner.Abandon(id);
        }
    }

    public void Tick(long now)
    {
        if (_ended.Count == 0 || Math.Abs(now - _endedForgottenAt) < context.Options.ResendMicroseconds) return;
        _endedForgottenAt = now;
        _ended.RemoveWhere(agents.IsAgentDone);
    }
}
