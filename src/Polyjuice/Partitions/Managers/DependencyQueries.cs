using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// V5: what became of a dependency is asked where it arose, and answered by that epoch or a later one. Both sides: what
/// a manager here asks, and what is asked here. On its engine's turn.
/// </summary>
internal sealed class DependencyQueries(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Decisions decisions)
{
    /// <summary>
    /// Adds what a vote, or this manager's own prepare, depends on, as far as it is not known to have committed.
    /// </summary>
    public void AddUnresolved(Decision decision, CommitDependency[] dependencies)
    {
        foreach (var dependency in dependencies)
        {
            if (dependency.Partition == ownership.Partition && dependency.Epoch == ownership.Epoch
                && branches.Find(dependency.Transaction) is { } here)
            {
                if (here.State == BranchState.Committed) continue;
                if (here.State == BranchState.Aborted) decision.DependencyAborted = true;
            }

            if (decisions.KnowsOutcome(dependency.Transaction, out var committed))
            {
                if (committed) continue;
                decision.DependencyAborted = true;
            }

            var unresolved = decision.Unresolved ??= [];
            if (!unresolved.Contains(dependency)) unresolved.Add(dependency);
        }
    }

    /// <summary>Forgets dependencies of which this manager has itself decided meanwhile that they commit.</summary>
    public void RemoveCommitted(Decision decision) =>
        decision.Unresolved?.RemoveAll(dependency =>
            decisions.KnowsOutcome(dependency.Transaction, out var committed) && committed);

    /// <summary>Asks about all that is unresolved.</summary>
    public void Ask(Decision decision)
    {
        decision.Touched = shared.Now;
        foreach (var dependency in decision.Unresolved!)
        {
            decisions.Follow(decision, dependency.Transaction);
            ownership.SendToPartition(dependency.Partition, new DependencyQueryMessage
            {
                Transaction = decision.Id,
                Dependency = dependency.Transaction,
                Partition = dependency.Partition,
                Epoch = dependency.Epoch,
                FromPartition = ownership.Partition,
            });
        }
    }

    /// <summary>
    /// Answers as soon as it is known; an earlier epoch than that in which the dependency arose stays silent.
    /// </summary>
    public void OnQuery(in Message message)
    {
        var query = DependencyQueryMessage.Read(message);
        if (ownership.Epoch < query.Epoch)
        {
            shared.Partitions.NoteEpoch(ownership.Partition, query.Epoch);
            return;
        }

        var branch = branches.Find(query.Dependency);
        if (branch is null)
        {
            Answer(query, recovered.IsCommitted(query.Dependency));
            return;
        }

        switch (branch.State)
        {
            case BranchState.Committed:
                Answer(query, committed: true);
                break;
            case BranchState.Ordered or BranchState.Logged:
                branch.Askers ??= [];
                foreach (var asker in branch.Askers)
                {
                    if (asker.Transaction == query.Transaction && asker.FromPartition == query.FromPartition) return;
                }

                branch.Askers.Add(query);
                break;
            default:
                Answer(query, committed: false);
                break;
        }
    }

    /// <summary>Answers those who have asked about a branch.</summary>
    public void AnswerAll(Branch branch, bool committed)
    {
        if (branch.Askers is not { } askers) return;
        branch.Askers = null;
        foreach (var query in askers) Answer(query, committed);
    }

    private void Answer(in DependencyQueryMessage query, bool committed)
    {
        var answer = new DependencyAnswerMessage
        {
            Transaction = query.Transaction,
            Dependency = query.Dependency,
            Partition = query.FromPartition,
            FromPartition = ownership.Partition,
            IsCommitted = committed,
            IsToAgent = query.IsToAgent,
        };
        if (query.IsToAgent) ownership.Send(query.Transaction.Node, answer);
        else ownership.Answer(query.From, query.FromPartition, answer);
    }
}
