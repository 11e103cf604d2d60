using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Staged commits: one append between a transaction and its answer instead of two. Rules V2 to V6, as far as they differ for them.
//
// When every participant writes, all that a commit record would say is in their prepares: which round, which timestamp, who takes part, what it depends on. So the transaction is committed at the moment when the last of
// them is durable, unless something that it depends on aborts; its manager says so at once, and writes the record when an append is needed anyway. The record then is what lets everybody forget. What that asks for:
// - Nobody forgets a prepare before the record is durable: confirms are final only then (V6).
// - An epoch of the manager that finds its own prepare and no record asks all participants. Who has no prepare of that round promises that it never will, and proves by an append that it is the owner, before it says so; one of those is enough to abort, and without one it waits (V2).
// - So the manager can't abort in memory alone: others might find all prepares. Either a participant has refused for good and never written a prepare, or the abort is in the manager's log before it is told (V4).
// A transaction with a participant that only reads goes the other way: such votes leave no record that could be asked for. So does one with rows, whose managers need one store for both records, and one with a final step.
//
// After parallel commits: Taft et al., CockroachDB: The Resilient Geo-Distributed SQL Database, SIGMOD 2020, §3.
internal sealed partial class PartitionOwner
{
    private bool IsStageable(Branch branch)
    {
        if (IsRow || !Options.StagesCommits || branch.Parts.Length < 2 || branch.FinalStep is not null) return false;
        foreach (ref readonly var part in branch.Parts.AsSpan())
        {
            if (!part.Writes || part.Decides || PartitionNames.IsRow(part.Partition)) return false;
        }

        return true;
    }

    /// <summary>All prepares are durable. What it depends on needs no record to be waited for.</summary>
    private void CommitStaged(Decision decision)
    {
        decision.Votes = null;
        decision.AwaitsDependencies = decision.HasUnresolved && _engine.Breaks != ProtocolBreaks.NoR7Answer;
        if (decision.AwaitsDependencies) _queries.Ask(decision);
        else DecideCommit(decision);
    }

    private void RecordStaged(Decision decision)
    {
        LogRecords.WriteCommit(_appends.Records, decision, decision.Timestamp);
        _appends.QueueLazily(new DurableAction(LogRecordKind.Commit, Decision: decision));
    }

    /// <summary>Aborts what no participant has refused, unless it is too late for that.</summary>
    private void TryAbort(Decision decision)
    {
        // An earlier epoch may have said that it is committed; and what all have prepared waits for its dependencies and for nothing else, as with a record.
        if (decision.IsStaged && (decision.IsRecovered || decision.AwaitsDependencies)) return;
        AbortLogged(decision);
    }

    /// <summary>Aborts: what is staged as soon as the log says so, the rest at once (V4).</summary>
    private void AbortLogged(Decision decision)
    {
        if (_branches.Find(decision.Id) is { State: BranchState.Ordered or BranchState.Logged } own && MustLogAbort(decision, own))
        {
            decision.State = DecisionState.ResolvingAbort;
            _outcomeRecords.LogAbort(own);
        }
        else
        {
            DecideAbort(decision);
        }
    }

    /// <summary>
    /// V4. Who was deposed, and does not know it, may believe what is not so: that a dependency aborted, because all have forgotten by now what a successor has brought to its end. By the append it finds out. Without that, it would contradict a
    /// successor that commits. A prepare that has not been handed over yet goes into the log together with its end, or not at all: it can be told at once.
    /// </summary>
    private bool MustLogAbort(Decision decision, Branch own) =>
        decision.IsStaged && own.Record == PrepareRecord.Written && !_prepares.IsBeingFilled(own) && _engine.Breaks != ProtocolBreaks.StagedAbortUnlogged;

    /// <summary>V2: what an earlier epoch has staged, and no record tells the end of.</summary>
    private void AskForStaged()
    {
        if (_engine.Breaks == ProtocolBreaks.StagedForgotten) return;
        foreach (var branch in _branches.All)
        {
            if (branch is not { IsStaged: true, State: BranchState.Logged } || _decisions.Contains(branch.Id)) continue;
            var decision = _decisions.Open(new Decision(branch.Id, branch.Parts, _engine.Now) { IsStaged = true, IsRecovered = true });
            AskForVotes(decision);
        }
    }

    private void AskAgain(Decision decision)
    {
        decision.Touched = _engine.Now;
        if (decision.AwaitsDependencies) _queries.Ask(decision);
        else AskForVotes(decision);
    }

    private void AskForVotes(Decision decision)
    {
        if (_branches.Find(decision.Id) is not { } own) return;
        foreach (var part in decision.Parts)
        {
            var partition = part.Partition;
            if (decision.Votes?.Exists(vote => vote.FromPartition == partition) == true) continue;
            if (partition == Partition) _votes.Send(own);
            else _ownership.SendToPartition(partition, new Message { Kind = MessageKind.VoteQuery, Transaction = decision.Id, FromPartition = Partition, Epoch = part.Epoch, Round = own.Round, ManagerEpoch = Epoch });
        }
    }

    /// <summary>
    /// A later epoch of the manager asks: V2. An epoch before the one that served the accesses knows nothing of them, and stays silent; one after it has read all that there can be of the prepare. The answer is for who asks: another epoch of the manager may be
    /// served at this node, deposed and unaware, and take what is sent to the manager's partition; with two such epochs, each beside a participant that the other one asks, neither would ever have all votes (I4, <c>DeposedOwnerTests</c>).
    /// </summary>
    public void OnVoteQuery(in Message query)
    {
        _engine.NoteEpoch(query.FromPartition, query.ManagerEpoch);
        if (Epoch < query.Epoch && _engine.Breaks != ProtocolBreaks.StagedNoProof)
        {
            _engine.NoteEpoch(Partition, query.Epoch);
            return;
        }

        var branch = _branches.Find(query.Transaction);
        if (branch is { WillLog: true, State: BranchState.Ordered or BranchState.Logged or BranchState.Committed } && branch.Round == query.Round)
        {
            // What is on its way into the log is there when this is asked again.
            if (branch.State != BranchState.Ordered) _ownership.Answer(query, _votes.Of(branch));
            return;
        }

        // Whoever has the final outcome in its log has it from a record: the question is late.
        if (branch is null && _recoveredOutcomes.IsCommitted(query.Transaction)) return;
        if (_engine.Breaks != ProtocolBreaks.StagedNoPromise) NeverOrder(branch, query);

        var none = new Message
        {
            Kind = MessageKind.Vote,
            Transaction = query.Transaction,
            Partition = query.FromPartition,
            FromPartition = Partition,
            Epoch = Epoch,
            Round = query.Round,
            Flags = MessageFlags.Aborted,
        };
        if (_engine.Breaks == ProtocolBreaks.StagedNoProof)
        {
            _ownership.Answer(query, none);
            return;
        }

        // Only an owner may say that: what a deposed one has not got, or believes to be aborted, its successor may have prepared.
        var ceiling = _ceiling.Next;
        LogRecords.WriteCeiling(_appends.Records, ceiling);
        _appends.QueueAnswer(query, none);
        _appends.Queue(new DurableAction(LogRecordKind.Ceiling, Timestamp: ceiling));
    }

    /// <summary>In memory, because the next epoch refuses what names this one (R1b).</summary>
    private void NeverOrder(Branch? branch, in Message query)
    {
        _engine.Events?.Promised(_ownership, query.Transaction, query.Round);
        if (branch is null)
        {
            if (!_branches.IsDone(query.Transaction) && !_recoveredOutcomes.Contains(query.Transaction)) _branches.Entomb(query.Transaction);
        }
        else if (branch.State == BranchState.Running)
        {
            ApplyAbort(branch);
        }
        else
        {
            branch.RefusedRound = Math.Max(branch.RefusedRound, query.Round);
        }
    }

    /// <summary>V2: votes for the round that this log has; they name the epoch that the transaction's prepares named.</summary>
    private void OnRecoveredVote(Decision decision, in Message vote)
    {
        if (_branches.Find(decision.Id) is not { } own || (vote.Round != own.Round && decision.State == DecisionState.Collecting)) return;
        if (!vote.Has(MessageFlags.Aborted)) Take(decision, vote);
        else if (decision.State == DecisionState.Collecting) AbortLogged(decision);
    }
}
