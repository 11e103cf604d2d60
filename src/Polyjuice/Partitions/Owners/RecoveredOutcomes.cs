using Polyjuice.Contracts;

namespace Polyjuice.Partitions;

/// <summary>
/// Outcomes that the log tells of transactions which are otherwise
/// forgotten, kept while somebody may still ask for them (V6).
/// </summary>
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
    /// <param name="isAgentDone">Whether an attempt's agent can't ask any more.</param>
    /// <param name="asked">What is depended on.</param>
    /// <param name="forgot">Hears of each that had committed.</param>
    public void Forget(
        Func<TransactionId, bool> isAgentDone, HashSet<TransactionId>? asked, Action<TransactionId>? forgot = null)
    {
        foreach (var (id, committed) in _outcomes)
        {
            if (!isAgentDone(id) || asked?.Contains(id) == true) continue;
            _outcomes.Remove(id);
            if (committed) forgot?.Invoke(id);
        }
    }
}
