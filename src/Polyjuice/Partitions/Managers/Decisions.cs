using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// The transactions that a partition manages, until they are forgotten (V6), and which of them wait for another one
/// that is decided here, too. On its engine's turn.
/// </summary>
internal sealed class Decisions(OwnerParts shared, PartitionOwner owner, Ownership ownership)
{
    private readonly Dictionary<TransactionId, Decision> _decisions = [];
    private Dictionary<TransactionId, List<TransactionId>>? _followers;

    /// <summary>Those that are not forgotten.</summary>
    public Dictionary<TransactionId, Decision>.ValueCollection All => _decisions.Values;

    public Decision? Find(TransactionId id) => _decisions.GetValueOrDefault(id);

    public bool Contains(TransactionId id) => _decisions.ContainsKey(id);

    public Decision Open(Decision decision)
    {
        decision.Owner = owner;
        _decisions.Add(decision.Id, decision);
        shared.DueLooks.LookAfter(decision);
        return decision;
    }

    public void Forget(Decision decision)
    {
        if (_decisions.Remove(decision.Id)) shared.DueLooks.Rest(decision);
    }

    /// <summary>
    /// What this manager has itself decided about a dependency is known without asking: an outcome, once there, is the
    /// same everywhere. What it has not is asked where the dependency arose, which also answers for what is gone (V5).
    /// </summary>
    public bool KnowsOutcome(TransactionId id, out bool committed)
    {
        committed = _decisions.TryGetValue(id, out var known) && known.State == DecisionState.Committed;
        return committed || known is { State: DecisionState.Aborted };
    }

    /// <summary>Has a decision told what becomes of one that it depends on, if that is made here, too.</summary>
    public void Follow(Decision decision, TransactionId dependency)
    {
        if (!_decisions.ContainsKey(dependency)) return;
        var known = _followers ??= [];
        if (!known.TryGetValue(dependency, out var followers)) known.Add(dependency, followers = []);
        if (!followers.Contains(decision.Id)) followers.Add(decision.Id);
    }

    /// <summary>Tells the decisions here that wait for another one made here.</summary>
    public void ResolveFollowers(TransactionId id, bool committed)
    {
        if (_followers is null || !_followers.Remove(id, out var followers)) return;
        foreach (var follower in followers) shared.Mail.SendLocal(new DependencyAnswerMessage
        {
            Transaction = follower,
            Dependency = id,
            Partition = ownership.Partition,
            FromPartition = -1,
            IsCommitted = committed,
        });
    }
}
