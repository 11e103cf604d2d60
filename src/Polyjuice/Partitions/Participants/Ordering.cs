using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// R1: a participant orders transactions by timestamp, in memory; from then on they stand in nobody's way. R2: a
/// transaction moves to a later timestamp only while its versions are last and unread. On its engine's turn.
/// </summary>
internal sealed class Ordering(
    OwnerParts shared, Ownership ownership, Branches branches, TimestampCeiling ceiling, PrepareReplies replies,
    Cascade cascade, Dependencies dependencies, StagedCommits staged, Voting voting)
{
    /// <summary>Orders a branch as a prepare asks, or says why not.</summary>
    /// <returns>0; or the timestamp at which the prepare is to be tried again at once.</returns>
    public long TryOrder(Branch branch, in PrepareMessage prepare)
    {
        var again = branch.State != BranchState.Running;
        if (again && !CanRetime(branch))
        {
            replies.RefuseRound(branch, prepare, AbortReason.Timestamp);
            return 0;
        }

        shared.Recorder?.Ordering(branch);
        var suggestion = 0L;
        foreach (var entry in branch.Entries)
        {
            if (entry.Number <= branch.Transaction.ValidatedUpTo && shared.Breaks == ProtocolBreaks.TrustEarlyValidation
                && entry.Write is null)
            {
                continue;
            }
            if (!Fits(branch, entry, prepare, again, ref suggestion)) return 0;
        }

        if (prepare.OnlyAsks)
        {
            replies.Suggest(branch, prepare, suggestion);
            return 0;
        }

        if (suggestion > 0 && prepare.MayRaise && !again)
        {
            // The round is this participant's alone so far: it takes the timestamp that it would have suggested.
            shared.Clock.Raise(suggestion);
            return ParticipantUses.IsBeingOvertaken(prepare.Parts) ? suggestion + 1 : shared.Clock.Tick();
        }

        if (suggestion > 0)
        {
            branch.RefusedRound = prepare.Round;
            replies.Suggest(branch, prepare, suggestion);
            return 0;
        }

        Order(branch, prepare);
        return 0;
    }

    /// <summary>
    /// Whether an access allows its transaction to be ordered, now or at a later timestamp. If not, the prepare has
    /// been refused, or parked.
    /// </summary>
    private bool Fits(Branch branch, AccessEntry entry, in PrepareMessage prepare, bool again, ref long suggestion)
    {
        var timestamp = prepare.Timestamp;
        var read = entry.Read;
        if (read.Status == VersionStatus.Exposed && shared.Breaks != ProtocolBreaks.OrderBeforeExposed)
        {
            replies.Park(branch, read.Writer!, read.Participant, prepare);
            return false;
        }

        var isWrite = entry.Write is not null && !branch.ReadsOnly;
        if (isWrite && !again && entry.Participant.Reservations?.HolderInTheWayOf(branch.Transaction) is { } holder)
        {
            replies.Park(branch, holder, entry.Participant, prepare);
            return false;
        }

        var isLast = entry.Participant.Last == read
            || (again && entry.Participant.Last == entry.Write && entry.Write!.Previous == read);
        var overtaken = isWrite
            ? !isLast && shared.Breaks != ProtocolBreaks.NoLastCheck
            : read.Next is { } next && next.Wts <= timestamp && next != entry.Write
                && shared.Breaks != ProtocolBreaks.NoReadCheck;
        if (read.Status == VersionStatus.Removed && shared.Breaks != ProtocolBreaks.NoReadCheck || overtaken)
        {
            var reason = read.Status == VersionStatus.Removed ? AbortReason.Cascade : AbortReason.Validation;
            replies.RefuseRound(branch, prepare, reason, entry.Participant);
            return false;
        }

        if (read.Wts >= timestamp) suggestion = Math.Max(suggestion, read.Wts);
        if (isWrite && read.Rts >= timestamp) suggestion = Math.Max(suggestion, read.Rts);
        if (isWrite && ceiling.Floor >= timestamp) suggestion = Math.Max(suggestion, ceiling.Floor);
        return true;
    }

    /// <summary>
    /// R2: a transaction may move to a later timestamp only while nobody has read or built upon its versions.
    /// </summary>
    private bool CanRetime(Branch branch)
    {
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write || branch.ReadsOnly) continue;
            if (write.Status != VersionStatus.Ordered) return false;
            if (shared.Breaks == ProtocolBreaks.RetimeGuard) continue;
            if (entry.Participant.Last != write || write.Rts != write.Wts) return false;
        }

        return true;
    }

    private void Order(Branch branch, in PrepareMessage prepare)
    {
        if (branch.IsHeldBack) branch.Record = PrepareRecord.None;
        branches.ReleaseDependencies(branch);
        foreach (var entry in branch.Entries) Order(branch, entry, prepare.Timestamp);
        if (shared.Metrics.MeasuresChains) shared.Metrics.Chain(Dependencies.ChainOf(branch));
        branch.Timestamp = prepare.Timestamp;
        branch.Round = prepare.Round;
        branch.Manager = prepare.Manager;
        branch.ManagerEpoch = prepare.ManagerEpoch;
        branch.Parts = prepare.Parts ?? [];
        branch.State = BranchState.Ordered;
        branch.HasVoted = false;
        branch.Touched = shared.Now;
        shared.DueLooks.Hasten(branch.Transaction, branch.Touched + shared.Options.ResendMicroseconds);
        shared.Clock.Raise(prepare.Timestamp);
        var writes = !branch.ReadsOnly && branch.HasWrites;

        // V6: a reader whose log has its prepare of an earlier round needs the outcome there, though what it depended
        // on is decided now.
        var mustLog = branch.DependsOn is { Count: > 0 } || branch.Record == PrepareRecord.Written;
        branch.WillLog = writes || (mustLog && branch.Manager >= 0 && shared.Breaks != ProtocolBreaks.RoDepLog);
        branch.IsStaged = branch.Manager == ownership.Partition && writes && staged.CanStage(branch);
        shared.Events?.Ordered(branch, prepare);
        replies.Ordered(branch);
        voting.Begin(branch);
        replies.WakeParked(branch);
        branch.Transaction.Reservations?.ReleaseAt(branch.Owner);
        if (prepare.IsLast) shared.Lifecycle.Seal(branch.Transaction);
    }

    private void Order(Branch branch, AccessEntry entry, long timestamp)
    {
        var read = entry.Read;
        if (shared.Breaks != ProtocolBreaks.NoRtsBump) read.Rts = Math.Max(read.Rts, timestamp);
        if (!read.IsCommitted && read.Writer is { IsUndecided: true } writer && shared.Breaks != ProtocolBreaks.NoR3)
            dependencies.Add(branch, writer);
        if (entry.Write is not { } write || branch.ReadsOnly) return;
        if (write.Status != VersionStatus.Ordered) Append(entry.Participant, read, write);
        write.Wts = timestamp;
        write.Rts = timestamp;
        shared.Recorder?.Ordered(entry.Participant, timestamp);
    }

    /// <summary>
    /// Puts a version at the end of the chain. Exposed versions that were built on what it overtakes can't follow it.
    /// </summary>
    private void Append(Participant participant, StateVersion read, StateVersion write)
    {
        if (write.Status == VersionStatus.Exposed)
        {
            var at = participant.Exposed.IndexOf(write);
            if (at > 0) cascade.RemoveExposed(participant, 0, at, write);
            if (participant.Exposed.IndexOf(write) is >= 0 and var left) participant.Exposed.RemoveAt(left);
        }
        else
        {
            cascade.RemoveExposed(participant, 0, participant.Exposed.Count, write);
        }

        var last = participant.Last;
        write.Previous = shared.Breaks == ProtocolBreaks.NoLastCheck ? last : read;
        write.Status = VersionStatus.Ordered;
        last.Next = write;
        participant.Last = write;
    }
}
