using System.Runtime.InteropServices;
using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Votes and the manager's decision: rules V1, V2, V3, V7.
internal sealed partial class PartitionOwner
{
    /// <summary>How many are asked at a time to log an outcome soon.</summary>
    private const int HurriedMax = 64;

    private void HoldBack(Branch branch)
    {
        branch.Record = PrepareRecord.HeldBack;
        _votes.Send(branch);
    }

    /// <summary>V7: one participant is its own manager, and its prepare and commit are one append.</summary>
    private void RecordOnePartition(Branch branch)
    {
        var decision = _decisions.Find(branch.Id)!;
        decision.State = DecisionState.Recording;
        decision.Timestamp = branch.Timestamp;
        decision.Round = branch.Round;
        _queries.AddUnresolved(decision, _dependencies.Of(branch));
        decision.HadDependencies = decision.HasUnresolved;
        _prepares.Write(branch);
        LogRecords.WriteCommit(_appends.Records, decision, branch.Timestamp);
        _appends.Queue(new DurableAction(LogRecordKind.Commit, Decision: decision));
    }

    /// <summary>The manager opens its decision with its own prepare, so that an inquiry that overtakes the votes finds it.</summary>
    private void OpenDecision(Branch branch)
    {
        _ownership.Stir();
        if (_decisions.Find(branch.Id) is not { } decision)
            decision = _decisions.Open(new Decision(branch.Id, branch.Parts, _engine.Now));
        decision.IsStaged = branch.IsStaged;
    }

    public void OnVote(in Message vote)
    {
        var decision = _decisions.Find(vote.Transaction);
        if (decision is { IsRecovered: true })
        {
            OnRecoveredVote(decision, vote);
            return;
        }

        // V2: only the epoch that the prepare named may decide.
        if (vote.Has(MessageFlags.Aborted)) return;
        if (vote.ManagerEpoch != Epoch && _engine.Breaks != ProtocolBreaks.MgrEpoch)
        {
            _engine.NoteEpoch(Partition, vote.ManagerEpoch);
            return;
        }

        if (_branches.IsDone(vote.Transaction)) return;
        if (decision is null)
        {
            if (_branches.Find(vote.Transaction) is { State: BranchState.Aborted or BranchState.Committed }) return;
            if (_recoveredOutcomes.Contains(vote.Transaction)) return;

            // Read back from a row: it is sent again, and counts once this manager's own prepare has said whose votes there must be.
            if (vote.Parts is not { Length: > 0 }) return;
            decision = _decisions.Open(new Decision(vote.Transaction, vote.Parts!, _engine.Now));
            _ownership.Stir();
        }

        Take(decision, vote);
    }

    private void Take(Decision decision, in Message vote)
    {
        if (decision.State != DecisionState.Collecting || decision.AwaitsDependencies)
        {
            // Its vote was counted before; what it may be missing is the answer.
            if (decision.State == DecisionState.Committed) SendOutcome(decision, vote.FromPartition);
            return;
        }

        var votes = decision.Votes ??= new List<Message>(decision.Parts.Length);
        var at = IndexOf(CollectionsMarshal.AsSpan(votes), vote.FromPartition);

        if (at < 0) votes.Add(vote);
        else if (votes[at].Round <= vote.Round) votes[at] = vote;
        if (votes.Count < decision.Parts.Length && !(votes.Count == decision.Parts.Length - 1 && _engine.Breaks == ProtocolBreaks.MissingVote)) return;
        Count(decision, votes);
    }

    private static int IndexOf(ReadOnlySpan<Message> votes, int partition)
    {
        for (var i = 0; i < votes.Length; i++)
        {
            if (votes[i].FromPartition == partition) return i;
        }

        return -1;
    }

    private void Count(Decision decision, List<Message> votes)
    {
        var round = 0;
        foreach (var vote in votes) round = Math.Max(round, vote.Round);
        var timestamp = 0L;
        foreach (var vote in votes)
        {
            if (vote.Round == round) timestamp = vote.Timestamp;
            else if (_engine.Breaks != ProtocolBreaks.VoteNamesC) return;
        }

        // Ordered anew meanwhile: what is written with the commit record must be what was voted for.
        if (_branches.Find(decision.Id) is { IsHeldBack: true } own && own.Round != round) return;
        decision.Round = round;
        decision.Timestamp = timestamp;
        foreach (var vote in votes)
        {
            _queries.AddUnresolved(decision, vote.Dependencies!);
            if (vote.Has(MessageFlags.Logged) && vote.FromPartition != Partition) (decision.MustAcknowledge ??= new() { ToldAt = decision.Touched }).Add(vote.FromPartition);
        }

        // A participant may have taken back what it had written when the agent heard of it (early validation): then it has no prepare that could be asked for.
        if (decision.IsStaged && !votes.TrueForAll(static vote => vote.Has(MessageFlags.Logged))) decision.IsStaged = false;
        if (decision.DependencyAborted)
        {
            AbortLogged(decision);
            return;
        }

        if (decision.IsStaged) CommitStaged(decision);
        else if (_branches.Find(decision.Id)?.FinalStep is { } step) PrepareFinalStep(decision, step);
        else RecordCommit(decision);
    }

    private void RecordCommit(Decision decision)
    {
        decision.HadDependencies = decision.HasUnresolved;
        decision.State = DecisionState.Recording;
        decision.Votes = null;
        if (_branches.Find(decision.Id) is { IsHeldBack: true } own) _prepares.Write(own);
        LogRecords.WriteCommit(_appends.Records, decision, decision.Timestamp);
        if (_engine.Breaks == ProtocolBreaks.AnswerBeforeDurable) Tell(decision, committed: true);
        _appends.Queue(new DurableAction(LogRecordKind.Commit, Decision: decision));
    }

    private void Recorded(Decision decision)
    {
        if (decision.IsStaged)
        {
            Resolved(decision, committed: true);
            return;
        }

        if (decision.State == DecisionState.Aborted) return;
        decision.State = DecisionState.Recorded;
        if (_branches.Find(decision.Id) is { State: BranchState.Ordered } own && own.Round == decision.Round)
        {
            // One append carried its prepare too (V7).
            own.State = BranchState.Logged;
            own.HasVoted = true;
        }

        // Dependencies that were decided while the record was on its way.
        _queries.RemoveCommitted(decision);
        if (decision.DependencyAborted) ResolveAbort(decision);
        else if (!decision.HasUnresolved || _engine.Breaks == ProtocolBreaks.NoR7Answer) DecideCommit(decision);
        else _queries.Ask(decision);
    }

    private void DecideCommit(Decision decision)
    {
        decision.State = DecisionState.Committed;
        decision.Touched = _engine.Now;
        Tell(decision);

        // V5: the resolution is durable before any confirm says "final".
        if (decision.IsStaged) RecordStaged(decision);
        else if (decision.HadDependencies && !decision.ResolutionDurable)
        {
            LogRecords.WriteResolved(_appends.Records, decision.Id, committed: true);
            _appends.Queue(new DurableAction(LogRecordKind.Resolved, Decision: decision, Committed: true));
        }

        if (_branches.Find(decision.Id) is { State: BranchState.Ordered or BranchState.Logged } own) ApplyCommit(own);

        // Others may wait for this one at its participants: not for its record, too, unless that is durable in this turn.
        if (!decision.IsStaged || _appends.TakesTime) SendOutcomes(decision);
        SettleOwn(decision);
        _decisions.ResolveFollowers(decision.Id, committed: true);
    }

    private bool IsFinal(Decision decision) => decision.IsStaged
        ? decision.ResolutionDurable || _engine.Breaks == ProtocolBreaks.StagedFinalEarly
        : !decision.HadDependencies || decision.ResolutionDurable || _engine.Breaks == ProtocolBreaks.ResolveBeforeConfirm;

    /// <summary>The manager's own log has the outcome once the commit record, and the resolution if it needed one, are durable.</summary>
    private void SettleOwn(Decision decision)
    {
        if (!IsFinal(decision) || _branches.Find(decision.Id) is not { State: BranchState.Committed } own) return;
        own.OutcomeLogged = true;
        _branches.TryFinish(own);
    }

    /// <summary>V3: a manager aborts only while no commit record is on its way.</summary>
    private void DecideAbort(Decision decision)
    {
        if (decision.State == DecisionState.Committed) return;
        decision.State = DecisionState.Aborted;
        decision.Touched = _engine.Now;
        Tell(decision);
        _decisions.ResolveFollowers(decision.Id, committed: false);
        foreach (var part in decision.Parts)
        {
            if (part.Partition == Partition) continue;
            _ownership.SendToPartition(part.Partition, new Message
            {
                Kind = MessageKind.Outcome,
                Transaction = decision.Id,
                Partition = part.Partition,
                FromPartition = Partition,
                Flags = MessageFlags.Aborted | MessageFlags.Final,
            });
        }

        if (_branches.Find(decision.Id) is { } own)
        {
            if (own.State != BranchState.Aborted) ApplyAbort(own);
        }
        else
        {
            _branches.Entomb(decision.Id);
        }
    }

    private void Tell(Decision decision, bool committed = false) => _ownership.Send(decision.Id.Node, new Message
    {
        Kind = MessageKind.AgentOutcome,
        Transaction = decision.Id,
        FromPartition = Partition,
        Timestamp = decision.Timestamp,
        Count = (int)decision.Refusal,
        Flags = committed || decision.State == DecisionState.Committed ? MessageFlags.Committed : MessageFlags.Aborted,
    });

    private void SendOutcomes(Decision decision)
    {
        if (decision.MustAcknowledge is not { } partitions) return;
        partitions.ToldAt = _engine.Now;
        foreach (var partition in partitions) SendOutcome(decision, partition);
    }

    /// <summary>
    /// The commit record is to go, so those that let their confirms linger are asked for them: a few at a time,
    /// because each costs a store of its own, and all at once they would be in the way of everything else.
    /// </summary>
    private void HurryOutcomes(Decision decision)
    {
        if (decision.MustAcknowledge is not { } partitions) return;
        partitions.ToldAt = _engine.Now;
        partitions.Hurried = 0;
        HurryMore(decision, partitions);
    }

    private void HurryMore(Decision decision, Acknowledgers partitions)
    {
        while (partitions.Hurried < Math.Min(partitions.Count, HurriedMax))
            SendOutcome(decision, partitions[partitions.Hurried++], soon: true);
    }

    private void SendOutcome(Decision decision, int partition, bool soon = false) => _ownership.SendToPartition(partition, new Message
    {
        Kind = MessageKind.Outcome,
        Transaction = decision.Id,
        Partition = partition,
        FromPartition = Partition,
        Timestamp = decision.Timestamp,
        Flags = MessageFlags.Committed
            | (IsFinal(decision) ? MessageFlags.Final : MessageFlags.None)
            | (soon ? MessageFlags.Soon : MessageFlags.None),
    });

    /// <summary>An inquiry by a participant, or an agent's or participant's wish that it be aborted.</summary>
    public void OnQuery(in Message query)
    {
        var id = query.Transaction;

        // V2: an earlier epoch stays silent; a later one that lacks the record answers "aborted". Who is silent because it was deposed gives up:
        // otherwise a participant beside it would ask it for ever (I4).
        if (Epoch < query.ManagerEpoch && _engine.Breaks != ProtocolBreaks.MgrEpoch)
        {
            _engine.NoteEpoch(Partition, query.ManagerEpoch);
            return;
        }

        var flags = MessageFlags.None;
        var timestamp = 0L;
        if (_decisions.Find(id) is { } decision)
        {
            timestamp = decision.Timestamp;
            if (query.Kind == MessageKind.AbortRequest
                && (decision.State == DecisionState.Collecting
                    || (decision.State == DecisionState.Recording && _engine.Breaks == ProtocolBreaks.AbortWhileRecording)
                    || (decision.State == DecisionState.TakingFinalStep && _engine.Breaks == ProtocolBreaks.FinalStepAbort)))
            {
                if (query.Has(MessageFlags.Final)) DecideAbort(decision);
                else TryAbort(decision);
            }

            if (decision.State == DecisionState.Committed) flags = MessageFlags.Committed | (IsFinal(decision) ? MessageFlags.Final : 0);
            else if (decision.State == DecisionState.Aborted) flags = MessageFlags.Aborted | MessageFlags.Final;
            else return;
        }
        else if (_branches.Find(id) is { State: BranchState.Committed } || _recoveredOutcomes.IsCommitted(id))
        {
            flags = MessageFlags.Committed | MessageFlags.Final;
        }
        else
        {
            // V4: before "unknown" is said, it is made true for good.
            flags = MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown;
            if (_engine.Breaks != ProtocolBreaks.Tomb)
            {
                if (_branches.Find(id) is not { } known)
                {
                    if (!_branches.IsDone(id)) _branches.Entomb(id);
                }
                else if (known.IsUndecided && known.Manager == Partition && known.State == BranchState.Logged && query.FromPartition != Partition)
                {
                    _outcomeRecords.LogAbort(known);
                }
                else if (known.State == BranchState.Running)
                {
                    ApplyAbort(known);
                }
            }
        }

        if (query.Has(MessageFlags.ToAgent))
        {
            _ownership.Send(id.Node, new Message { Kind = MessageKind.AgentOutcome, Transaction = id, FromPartition = Partition, Timestamp = timestamp, Flags = flags });
        }
        else
        {
            _ownership.Answer(query, new Message
            {
                Kind = MessageKind.Outcome,
                Transaction = id,
                Partition = query.FromPartition,
                FromPartition = Partition,
                Timestamp = timestamp,
                Flags = flags,
            });
        }
    }
}
