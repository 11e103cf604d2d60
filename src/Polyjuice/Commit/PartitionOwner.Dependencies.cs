using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Commit dependencies: rules R3 and V5.
internal sealed partial class PartitionOwner
{
    private static void AddDependency(Branch branch, Branch writer)
    {
        branch.DependsOn ??= [];
        if (branch.DependsOn.Contains(writer)) return;
        if (branch.DependsOn.Count > 0 && branch.Owner._engine.Breaks == ProtocolBreaks.OneDependency) return;
        branch.DependsOn.Add(writer);
        writer.Dependents++;
        writer.Owner.RecordHeldBack(writer);
    }

    /// <summary>
    /// How many undecided transactions a branch stands on, one upon the other, as far as this node knows: from each to the latest one that it depends on. Walked only while somebody measures it, and no further than
    /// <see cref="ChainMax"/>.
    /// </summary>
    private static int ChainOf(Branch branch)
    {
        var length = 0;
        for (var next = LatestDependency(branch); next is not null && length < ChainMax; length++) next = LatestDependency(next.Transaction);
        return length;
    }

    /// <summary>Bound on <see cref="ChainOf"/>: what is longer counts as this.</summary>
    private const int ChainMax = 256;

    private static Branch? LatestDependency(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (LatestDependency(branch) is { } dependency) return dependency;
        }

        return null;
    }

    private static Branch? LatestDependency(Branch branch) => branch.DependsOn?.FindLast(static dependency => dependency.IsUndecided);

    private void ReleaseDependencies(Branch branch)
    {
        if (branch.DependsOn is not { } dependencies) return;
        branch.DependsOn = null;
        foreach (var dependency in dependencies)
        {
            dependency.Dependents--;
            TryFinish(dependency);
        }
    }

    /// <summary>What a vote or record names: those still undecided, with the place and epoch where the dependency arose.</summary>
    private CommitDependency[] DependenciesOf(Branch branch)
    {
        List<CommitDependency>? undecided = null;
        if (branch.DependsOn is { } dependencies)
        {
            foreach (var dependency in dependencies)
            {
                if (dependency.State == BranchState.Committed) continue;
                (undecided ??= []).Add(new CommitDependency(dependency.Id, Partition, Epoch));
            }
        }

        if (branch.LostDependencies is { } lost) (undecided ??= []).AddRange(lost);
        return undecided is null ? [] : [.. undecided];
    }

    private void AddUnresolved(Decision decision, CommitDependency[] dependencies)
    {
        foreach (var dependency in dependencies)
        {
            if (dependency.Partition == Partition && dependency.Epoch == Epoch && Find(dependency.Transaction) is { } here)
            {
                if (here.State == BranchState.Committed) continue;
                if (here.State == BranchState.Aborted) decision.DependencyAborted = true;
            }

            if (KnowsOutcome(dependency.Transaction, out var committed))
            {
                if (committed) continue;
                decision.DependencyAborted = true;
            }

            var unresolved = decision.Unresolved ??= [];
            if (!unresolved.Contains(dependency)) unresolved.Add(dependency);
        }
    }

    /// <summary>
    /// What this manager has itself decided about a dependency is known without asking: an outcome, once there, is the same
    /// everywhere. What it has not is asked where the dependency arose, which also answers for what is gone (V5).
    /// </summary>
    private bool KnowsOutcome(TransactionId id, out bool committed)
    {
        committed = _decisions.TryGetValue(id, out var known) && known.State == DecisionState.Committed;
        return committed || known is { State: DecisionState.Aborted };
    }

    /// <summary>Tells the decisions here that wait for another one made here.</summary>
    private void ResolveFollowers(TransactionId id, bool committed)
    {
        if (!_followers.Remove(id, out var followers)) return;
        foreach (var follower in followers) _engine.SendLocal(new Message
        {
            Kind = MessageKind.DependencyAnswer,
            Transaction = follower,
            Other = id,
            Partition = Partition,
            FromPartition = -1,
            Flags = committed ? MessageFlags.Committed : MessageFlags.Aborted,
        });
    }

    private readonly Dictionary<TransactionId, List<TransactionId>> _followers = [];

    private void AskDependencies(Decision decision)
    {
        decision.Touched = _engine.Now;
        foreach (var dependency in decision.Unresolved!)
        {
            if (_decisions.ContainsKey(dependency.Transaction))
            {
                if (!_followers.TryGetValue(dependency.Transaction, out var followers)) _followers.Add(dependency.Transaction, followers = []);
                if (!followers.Contains(decision.Id)) followers.Add(decision.Id);
            }

            _ownership.SendToPartition(dependency.Partition, new Message
            {
                Kind = MessageKind.DependencyQuery,
                Transaction = decision.Id,
                Other = dependency.Transaction,
                Partition = dependency.Partition,
                Epoch = dependency.Epoch,
                FromPartition = Partition,
            });
        }
    }

    /// <summary>V5: resolved where it arose, by that epoch or a later one; an earlier one stays silent.</summary>
    public void OnDependencyQuery(in Message query)
    {
        if (Epoch < query.Epoch)
        {
            _engine.NoteEpoch(Partition, query.Epoch);
            return;
        }

        var branch = Find(query.Other);
        if (branch is null)
        {
            AnswerOne(query, _recoveredOutcomes.IsCommitted(query.Other) ? MessageFlags.Committed : MessageFlags.Aborted);
            return;
        }

        switch (branch.State)
        {
            case BranchState.Committed:
                AnswerOne(query, MessageFlags.Committed);
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
                AnswerOne(query, MessageFlags.Aborted);
                break;
        }
    }

    private void Answer(Branch branch, MessageFlags outcome)
    {
        if (branch.Askers is not { } askers) return;
        branch.Askers = null;
        foreach (var query in askers) AnswerOne(query, outcome);
    }

    private void AnswerOne(in Message query, MessageFlags outcome)
    {
        var answer = new Message
        {
            Kind = MessageKind.DependencyAnswer,
            Transaction = query.Transaction,
            Other = query.Other,
            Partition = query.FromPartition,
            FromPartition = Partition,
            Flags = outcome | (query.Flags & MessageFlags.ToAgent),
        };
        if (query.Has(MessageFlags.ToAgent)) _ownership.Send(query.Transaction.Node, answer);
        else _ownership.Answer(query, answer);
    }

    public void OnDependencyAnswer(in Message answer)
    {
        if (!_decisions.TryGetValue(answer.Transaction, out var decision) || decision.Unresolved is not { } unresolved) return;
        var other = answer.Other;
        var from = answer.FromPartition;
        var known = unresolved.FindIndex(d => d.Transaction == other && (from < 0 || d.Partition == from));
        if (known < 0) return;
        if (answer.Has(MessageFlags.Aborted))
        {
            decision.DependencyAborted = true;
            if (decision.State == DecisionState.Collecting) AbortLogged(decision);
            else if (decision.State == DecisionState.Recorded) ResolveAbort(decision);
            return;
        }

        unresolved.RemoveAll(d => d.Transaction == other && (from < 0 || d.Partition == from));
        if (unresolved.Count > 0) return;
        if (decision.State == DecisionState.Recorded) DecideCommit(decision);
        else if (decision is { State: DecisionState.Collecting, AwaitsDependencies: true, IsStaged: true }) CommitStaged(decision);
        else if (decision is { State: DecisionState.Collecting, AwaitsDependencies: true } && Find(answer.Transaction)?.FinalStep is { } step) PrepareFinalStep(decision, step);
    }

    /// <summary>V4: the abort of a recorded transaction is in the log before it is applied or told.</summary>
    private void ResolveAbort(Decision decision)
    {
        decision.State = DecisionState.ResolvingAbort;
        if (_engine.Breaks == ProtocolBreaks.AbortProof)
        {
            DecideAbort(decision);
            return;
        }

        LogRecords.WriteResolved(_appends.Records, decision.Id, committed: false);
        _appends.Queue(new DurableAction(LogRecordKind.Resolved, Decision: decision));
    }

    private void Resolved(Decision decision, bool committed)
    {
        decision.ResolutionDurable = true;
        if (!committed)
        {
            DecideAbort(decision);
            return;
        }

        SendOutcomes(decision);
        SettleOwn(decision);
        TryForget(decision);
    }
}
