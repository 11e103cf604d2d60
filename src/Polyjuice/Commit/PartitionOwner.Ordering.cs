using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Rule R1: a participant orders transactions by timestamp, in memory; from then on they stand in nobody's way.
internal sealed partial class PartitionOwner
{
    public void OnPrepare(in Message prepare)
    {
        var id = prepare.Transaction;
        if (_branches.IsDone(id)) return;
        var branch = _branches.Find(id);
        if (branch is null && _recoveredOutcomes.TryGet(id, out var isCommitted))
        {
            // L2: the log knows better than a tombstone that this prepare, come again, would set up. Dependents ask here.
            if (isCommitted) _ownership.Send(id.Node, new Message { Kind = MessageKind.AgentOutcome, Transaction = id, FromPartition = Partition, Flags = MessageFlags.Committed });
            else _replies.Refuse(prepare, AbortReason.Cascade);
            return;
        }

        if (branch is null)
        {
            // R1b: it does not know the transaction. The refusal is remembered, or a late access would contradict it.
            _branches.Entomb(id);
            _replies.Refuse(prepare, AbortReason.OwnerChanged);
            return;
        }

        if (branch.State == BranchState.Aborted)
        {
            _replies.Refuse(prepare, branch.Transaction.Doom?.Reason ?? AbortReason.Cascade);
            return;
        }

        if (!HasServed(prepare) && _engine.Breaks != ProtocolBreaks.PrepEpoch)
        {
            // R1c: the agent of a body that met two epochs of this partition asks both, and one answer holds for the round.
            branch.RefusedRound = Math.Max(branch.RefusedRound, prepare.Round);
            _replies.Refuse(prepare, AbortReason.OwnerChanged);
            return;
        }

        if (branch.State == BranchState.Committed) return;
        if (branch.State != BranchState.Running && prepare.Round <= branch.Round)
        {
            _replies.Ordered(branch);
            if (branch.HasVoted) _votes.Send(branch);
            return;
        }

        if (branch.RefusedRound >= prepare.Round)
        {
            _replies.Refuse(prepare, AbortReason.Validation);
            return;
        }

        // The user's own exception is why only the reads are to be ordered: it must not keep them from being validated.
        var doom = branch.Transaction.Doom;
        if (doom?.Reason == AbortReason.UserException && prepare.Has(MessageFlags.ReadsOnly)) doom = null;
        if (branch.State == BranchState.Running && (doom is not null || branch.Accesses != prepare.Count))
        {
            _replies.RefuseRound(branch, prepare, doom?.Reason ?? AbortReason.OrphanCall);
            return;
        }

        if (prepare.Has(MessageFlags.ReadsOnly) && !branch.ReadsOnly) DiscardWrites(branch);
        var writes = !branch.ReadsOnly && branch.HasWrites;

        // Whoever is ordered now would be neither committed nor aborted until the log can be written again.
        if (branch.State == BranchState.Running && IsLogOut && (writes || branch.HasUndecidedReads || prepare.Timestamp > Ceiling))
        {
            _replies.RefuseRound(branch, prepare, AbortReason.LogUnavailable);
            return;
        }

        if (writes && branch.State == BranchState.Running && _appends.IsOverloaded)
        {
            _replies.RefuseRound(branch, prepare, AbortReason.LogOverloaded);

            // What a row may drop, it drops when it is written.
            if (IsRow) _ceiling.RequestNext();
            return;
        }

        // L4: nothing is ordered above the durable ceiling, reads included. A row has one state: what is written there leaves a record that says more than a ceiling, before anybody votes on it.
        if (prepare.Timestamp > Ceiling && !(writes && IsRow) && !(!writes && _engine.Breaks == ProtocolBreaks.NoCeilingReads))
        {
            _ceiling.Hold(prepare);
            return;
        }

        // L4: a successor orders writes only once its own clock has passed what its predecessor may have promised.
        if (writes && _ceiling.HoldsForFloor(prepare)) return;
        TryOrder(branch, prepare);
    }

    private void TryOrder(Branch branch, in Message prepare)
    {
        var again = branch.State != BranchState.Running;
        var timestamp = prepare.Timestamp;
        if (again && !CanRetime(branch))
        {
            _replies.RefuseRound(branch, prepare, AbortReason.Timestamp);
            return;
        }

        _engine.Trace?.Ordering(branch);
        var suggestion = 0L;
        foreach (var entry in branch.Entries)
        {
            var read = entry.Read;
            if (entry.Number <= branch.Transaction.ValidatedUpTo && _engine.Breaks == ProtocolBreaks.TrustEarlyValidation && entry.Write is null) continue;
            if (read.Status == VersionStatus.Exposed && _engine.Breaks != ProtocolBreaks.OrderBeforeExposed)
            {
                _replies.Park(branch, read.Writer!, read.Participant, prepare);
                return;
            }

            var isWrite = entry.Write is not null && !branch.ReadsOnly;
            if (isWrite && !again && entry.Participant.Reservations?.HolderInTheWayOf(branch.Transaction) is { } holder)
            {
                _replies.Park(branch, holder, entry.Participant, prepare);
                return;
            }

            var isLast = entry.Participant.Last == read || (again && entry.Participant.Last == entry.Write && entry.Write!.Previous == read);
            var overtaken = isWrite
                ? !isLast && _engine.Breaks != ProtocolBreaks.NoLastCheck
                : read.Next is { } next && next.Wts <= timestamp && next != entry.Write && _engine.Breaks != ProtocolBreaks.NoReadCheck;
            if (read.Status == VersionStatus.Removed && _engine.Breaks != ProtocolBreaks.NoReadCheck || overtaken)
            {
                _replies.RefuseRound(branch, prepare, read.Status == VersionStatus.Removed ? AbortReason.Cascade : AbortReason.Validation, entry.Participant);
                return;
            }

            if (read.Wts >= timestamp) suggestion = Math.Max(suggestion, read.Wts);
            if (isWrite && read.Rts >= timestamp) suggestion = Math.Max(suggestion, read.Rts);
            if (isWrite && _ceiling.Floor >= timestamp) suggestion = Math.Max(suggestion, _ceiling.Floor);
        }

        if (prepare.Has(MessageFlags.Asks))
        {
            _replies.Suggest(branch, prepare, suggestion);
            return;
        }

        if (suggestion > 0 && prepare.Has(MessageFlags.MayRaise) && !again)
        {
            // The round is this participant's alone so far: it takes the timestamp that it would have suggested.
            _engine.Clock.Raise(suggestion);
            OnPrepare(prepare with { Timestamp = TransactionEngine.IsBeingOvertaken(prepare.Parts) ? suggestion + 1 : _engine.Clock.Tick() });
            return;
        }

        if (suggestion > 0)
        {
            branch.RefusedRound = prepare.Round;
            _replies.Suggest(branch, prepare, suggestion);
            return;
        }

        Order(branch, prepare);
    }

    /// <summary>R2: a transaction may move to a later timestamp only while nobody has read or built upon its versions.</summary>
    private bool CanRetime(Branch branch)
    {
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write || branch.ReadsOnly) continue;
            if (write.Status != VersionStatus.Ordered) return false;
            if (_engine.Breaks == ProtocolBreaks.RetimeGuard) continue;
            if (entry.Participant.Last != write || write.Rts != write.Wts) return false;
        }

        return true;
    }

    private void Order(Branch branch, in Message prepare)
    {
        var timestamp = prepare.Timestamp;
        if (branch.IsHeldBack) branch.Record = PrepareRecord.None;
        _branches.ReleaseDependencies(branch);
        foreach (var entry in branch.Entries)
        {
            var read = entry.Read;
            if (_engine.Breaks != ProtocolBreaks.NoRtsBump) read.Rts = Math.Max(read.Rts, timestamp);
            if (!read.IsCommitted && read.Writer is { IsUndecided: true } writer && _engine.Breaks != ProtocolBreaks.NoR3) _dependencies.Add(branch, writer);
            if (entry.Write is not { } write || branch.ReadsOnly) continue;
            if (write.Status != VersionStatus.Ordered) Append(entry.Participant, read, write);
            write.Wts = timestamp;
            write.Rts = timestamp;
            _engine.Trace?.Ordered(entry.Participant, timestamp);
        }

        if (_engine.Metrics.MeasuresChains) _engine.Metrics.Chain(Dependencies.ChainOf(branch));
        branch.Timestamp = timestamp;
        branch.Round = prepare.Round;
        branch.Manager = prepare.Manager;
        branch.ManagerEpoch = prepare.ManagerEpoch;
        branch.Parts = prepare.Parts ?? [];
        branch.State = BranchState.Ordered;
        branch.HasVoted = false;
        branch.Touched = _engine.Now;
        _engine.Hasten(branch.Transaction, branch.Touched + Options.ResendMicroseconds);
        _engine.Clock.Raise(timestamp);
        var writes = !branch.ReadsOnly && branch.HasWrites;

        // V6: a reader whose log has its prepare of an earlier round needs the outcome there, though what it depended on is decided now.
        var mustLog = branch.DependsOn is { Count: > 0 } || branch.Record == PrepareRecord.Written;
        branch.WillLog = writes || (mustLog && branch.Manager >= 0 && _engine.Breaks != ProtocolBreaks.RoDepLog);
        branch.IsStaged = branch.Manager == Partition && writes && _staged.CanStage(branch);
        _engine.Events?.Ordered(branch, prepare);
        _replies.Ordered(branch);
        _voting.Begin(branch);
        _replies.WakeParked(branch);
        branch.Transaction.Reservations?.ReleaseAt(this);
        if (prepare.Has(MessageFlags.Last)) _engine.Seal(branch.Transaction);
    }

    /// <summary>Puts a version at the end of the chain. Exposed versions that were built on what it overtakes can't follow it.</summary>
    private void Append(Participant participant, StateVersion read, StateVersion write)
    {
        if (write.Status == VersionStatus.Exposed)
        {
            var at = participant.Exposed.IndexOf(write);
            if (at > 0) _cascade.RemoveExposed(participant, 0, at, write);
            if (participant.Exposed.IndexOf(write) is >= 0 and var left) participant.Exposed.RemoveAt(left);
        }
        else
        {
            _cascade.RemoveExposed(participant, 0, participant.Exposed.Count, write);
        }

        var last = participant.Last;
        write.Previous = _engine.Breaks == ProtocolBreaks.NoLastCheck ? last : read;
        write.Status = VersionStatus.Ordered;
        last.Next = write;
        participant.Last = write;
    }

    /// <summary>An attempt that failed in user code: its reads are to be proven, its writes never happened.</summary>
    private void DiscardWrites(Branch branch)
    {
        branch.ReadsOnly = true;
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write) continue;
            entry.Write = null;
            _cascade.Remove(write);
        }
    }
}
