namespace Polyjuice.Execution;

// Attempts that were given up before anything was prepared, by their agents or at this node. The node itself remembers
// them: an owner that still recovers can't be told, and the owner that knew may be deposed by another one of this node.
// Without that, the copy of a call whose first run was doomed here would run again and be served (R1c). What its body
// calls elsewhere would then be done twice.
public sealed partial class TransactionEngine
{
    private readonly HashSet<TransactionId> _abandoned = [];
    private long _abandonedForgottenAt;

    /// <summary>Whether an attempt was given up, as this node has heard or decided.</summary>
    internal bool WasAbandoned(TransactionId id) => _abandoned.Contains(id);

    /// <summary>The agent, or this node, has given it up before anything was prepared.</summary>
    private void AbandonHere(TransactionId id)
    {
        // Found before an owner ends it: that may be the last that is heard of it by its name, and its rows would keep what it has there.
        var transaction = Find(id);
        if (!IsAgentDone(id)) _abandoned.Add(id);
        foreach (var owner in _active) owner.Abandon(id);
        if (transaction is null || _rows.Count == 0) return;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner.IsRow) branch.Owner.Abandon(id);
        }
    }

    private void TickAbandoned(long now)
    {
        if (_abandoned.Count == 0 || Math.Abs(now - _abandonedForgottenAt) < Options.ResendMicroseconds) return;
        _abandonedForgottenAt = now;
        _abandoned.RemoveWhere(IsAgentDone);
    }
}
