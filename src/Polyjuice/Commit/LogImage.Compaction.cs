using Polyjuice.Execution;

namespace Polyjuice.Commit;

// What is over is folded away: what committed into the participants' states, and outcomes that nobody may ask for any more (V6).
internal sealed partial class LogImage
{
    /// <summary>Folds away all that is over. Whenever it is called, and how often, makes no difference to what comes out in the end.</summary>
    public void Compact()
    {
        var asked = FoldPrepares();
        foreach (var (id, committed) in Resolutions)
        {
            // What was inferred from the chain before the resolution was logged, or not, as it happened: the resolution says it in either case, and is forgotten together with its commit record.
            if (Outcomes.TryGetValue(id, out var known) && known == committed) Outcomes.Remove(id);
        }

        ForgetCommits(asked);
        foreach (var id in Outcomes.Keys)
        {
            if (!Commits.ContainsKey(id) && IsOver(id, asked)) Outcomes.Remove(id);
        }

        foreach (var id in Resolutions.Keys)
        {
            if (!Commits.ContainsKey(id) && IsOver(id, asked)) Resolutions.Remove(id);
        }

        Forgotten.RemoveWhere(id => !Commits.ContainsKey(id));
        _added = 0;
        _left = _order.Count + Commits.Count + Outcomes.Count;
    }

    /// <summary>Returns the transactions that an undecided one here depends on: their outcomes are kept until it is decided.</summary>
    private HashSet<TransactionId> FoldPrepares()
    {
        var asked = new HashSet<TransactionId>();
        var tails = new Dictionary<ParticipantKey, VersionId>();
        for (var node = _order.First; node is not null;)
        {
            var prepare = node.Value;
            var next = node.Next;
            var outcome = OutcomeOf(prepare.Id);
            if (outcome != false && !Fits(prepare, tails))
            {
                // It was built on something that has left the chain (R4), so it can't have committed.
                if (outcome == true) throw new InvariantException($"Committed {prepare.Id} does not fit on the version before it in the log.");
                outcome = Outcomes[prepare.Id] = false;
            }

            if (outcome == false || (outcome == true && prepare.Writes.TrueForAll(write => !tails.ContainsKey(write.Key))))
            {
                if (outcome == true)
                {
                    foreach (var write in prepare.Writes) SetState(write.Key, new CommittedState(write.Id, prepare.Timestamp, write.Codec, write.Encoded));
                }

                _order.Remove(node);
                _prepares.Remove(prepare.Id);
            }
            else
            {
                foreach (var write in prepare.Writes) tails[write.Key] = write.Id;
                if (outcome is null) asked.UnionWith(prepare.Dependencies.Select(dependency => dependency.Id));
            }

            node = next;
        }

        return asked;
    }

    private bool Fits(RecoveredPrepare prepare, Dictionary<ParticipantKey, VersionId> tails)
    {
        foreach (var write in prepare.Writes)
        {
            if (!tails.TryGetValue(write.Key, out var tail)) tail = States.GetValueOrDefault(write.Key)?.Version ?? _below?.Find(write.Key) ?? default;
            if (tail != write.Base) return false;
        }

        return true;
    }

    /// <summary>
    /// A manager's decision is kept until all who must have acknowledged it, and its agent has told its caller: a forget record says both. With nobody to acknowledge there may be none, and then
    /// the agent's oldest live attempt says it.
    /// </summary>
    private void ForgetCommits(HashSet<TransactionId> asked)
    {
        foreach (var commit in Commits.Values)
        {
            if (OutcomeOf(commit.Id) is not { } committed || asked.Contains(commit.Id) || _prepares.ContainsKey(commit.Id)) continue;
            var isAcknowledged = commit.MustAcknowledge.Count == 0 || !committed;
            if (!Forgotten.Contains(commit.Id) && !(isAcknowledged && IsAgentDone(commit.Id))) continue;
            Commits.Remove(commit.Id);
            Resolutions.Remove(commit.Id);
        }
    }

    private bool IsOver(TransactionId id, HashSet<TransactionId> asked) => IsAgentDone(id) && !asked.Contains(id) && !_prepares.ContainsKey(id);

    private bool IsAgentDone(TransactionId id) => id.Sequence < OldestLive.GetValueOrDefault(id.Node);
}
