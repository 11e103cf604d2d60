using Polyjuice.Execution;

namespace Polyjuice.Commit;

/// <summary>Outcomes that the log tells of transactions which are otherwise forgotten, kept while somebody may still ask for them (V6).</summary>
internal sealed class RecoveredOutcomes
{
    private readonly Dictionary<TransactionId, bool> _outcomes = [];

    public int Count => _outcomes.Count;

    public IEnumerable<TransactionId> Transactions => _outcomes.Keys;

    public void Set(TransactionId id, bool committed) => _outcomes[id] = committed;

    public bool Contains(TransactionId id) => _outcomes.ContainsKey(id);

    public bool TryGet(TransactionId id, out bool committed) => _outcomes.TryGetValue(id, out committed);

    /// <summary>Whether it is known, and committed.</summary>
    public bool IsCommitted(TransactionId id) => _outcomes.GetValueOrDefault(id);

    /// <summary>Forgets those whose agent is done with them, and on which nothing undecided depends.</summary>
    public void Forget(Func<TransactionId, bool> isAgentDone, HashSet<TransactionId>? asked)
    {
        foreach (var id in _outcomes.Keys)
        {
            if (isAgentDone(id) && asked?.Contains(id) != true) _outcomes.Remove(id);
        }
    }
}
