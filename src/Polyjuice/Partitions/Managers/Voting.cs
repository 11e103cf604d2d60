using System.Runtime.InteropServices;
using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// How an ordered transaction gets its votes, and how its manager counts them. V1: only votes of one round count
/// together. V2: only the epoch that the prepare named may decide. On its engine's turn.
/// </summary>
internal sealed class Voting(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Decisions decisions,
    PrepareLog prepares, Votes votes, CommitRecords records, DependencyQueries queries, OutcomeMessages messages,
    FinalStepRunner finalSteps, DependencyOutcomes dependencies, Manager manager)
{
    /// <summary>A branch has been ordered: it votes, or writes what it votes for.</summary>
    public void Begin(Branch branch)
    {
        var manages = branch.Manager == ownership.Partition;
        if (manages) Open(branch);
        if (!branch.WillLog) votes.Send(branch);
        else if (manages && votes.IsOnePartition(branch)) records.RecordOnePartition(branch);
        else if (prepares.MayHoldBack(branch)) HoldBack(branch);
        else
        {
            prepares.Record(branch);
            if (shared.Breaks == ProtocolBreaks.VoteEarly) votes.Send(branch);
        }
    }

    /// <summary>A participant votes.</summary>
    public void OnVote(in Message message)
    {
        var vote = VoteMessage.Read(message);
        var decision = decisions.Find(vote.Transaction);
        if (decision is { IsRecovered: true })
        {
            OnRecoveredVote(decision, vote);
            return;
        }

        // V2: only the epoch that the prepare named may decide.
        if (vote.IsDenied) return;
        if (vote.ManagerEpoch != ownership.Epoch && shared.Breaks != ProtocolBreaks.MgrEpoch)
        {
            shared.Partitions.NoteEpoch(ownership.Partition, vote.ManagerEpoch);
            return;
        }

        if (branches.IsDone(vote.Transaction)) return;
        if (decision is null)
        {
            if (branches.Find(vote.Transaction) is { State: BranchState.Aborted or BranchState.Committed }) return;
            if (recovered.Contains(vote.Transaction)) return;

            // Read back from a row: it is sent again, and counts once this manager's own prepare has said whose votes
            // there must be.
            if (vote.Parts is not { Length: > 0 }) return;
            decision = decisions.Open(new Decision(vote.Transaction, vote.Parts!, shared.Now));
            ownership.Stir();
        }

        Take(decision, vote);
    }

    /// <summary>
    /// The manager opens its decision with its own prepare, so that an inquiry that overtakes the votes finds it.
    /// </summary>
    private void Open(Branch branch)
    {
        ownership.Stir();
        var decision = decisions.Find(branch.Id) ?? decisions.Open(new Decision(branch.Id, branch.Parts, shared.Now));
        decision.IsStaged = branch.IsStaged;
    }

    private void HoldBack(Branch branch)
    {
        branch.Record = PrepareRecord.HeldBack;
        votes.Send(branch);
    }

    /// <summary>
    /// V2: votes for the round that this log has; they name the epoch that the transaction's prepares named.
    /// </summary>
    private void OnRecoveredVote(Decision decision, in VoteMessage vote)
    {
        if (branches.Find(decision.Id) is not { } own
            || (vote.Round != own.Round && decision.State == DecisionState.Collecting))
        {
            return;
        }
        if (!vote.IsDenied) Take(decision, vote);
        else if (decision.State == DecisionState.Collecting) manager.AbortLogged(decision);
    }

    private void Take(Decision decision, in VoteMessage vote)
    {
        if (decision.State != DecisionState.Collecting || decision.AwaitsDependencies)
        {
            // Its vote was counted before; what it may be missing is the answer.
            if (decision.State == DecisionState.Committed) messages.SendCommit(decision, vote.FromPartition);
            return;
        }

        var cast = decision.Votes ??= new List<VoteMessage>(decision.Parts.Length);
        var at = IndexOf(CollectionsMarshal.AsSpan(cast), vote.FromPartition);

        if (at < 0) cast.Add(vote);
        else if (cast[at].Round <= vote.Round) cast[at] = vote;
        if (cast.Count < decision.Parts.Length
            && !(cast.Count == decision.Parts.Length - 1 && shared.Breaks == ProtocolBreaks.MissingVote))
        {
            return;
        }
        Count(decision, cast);
    }

    private static int IndexOf(ReadOnlySpan<VoteMessage> votes, int partition)
    {
        for (var i = 0; i < votes.Length; i++)
        {
            if (votes[i].FromPartition == partition) return i;
        }

        return -1;
    }

    private void Count(Decision decision, List<VoteMessage> cast)
    {
        var round = 0;
        foreach (var vote in cast) round = Math.Max(round, vote.Round);
        var timestamp = 0L;
        foreach (var vote in cast)
        {
            if (vote.Round == round) timestamp = vote.Timestamp;
            else if (shared.Breaks != ProtocolBreaks.VoteNamesC) return;
        }

        // Ordered anew meanwhile: what is written with the commit record must be what was voted for.
        if (branches.Find(decision.Id) is { IsHeldBack: true } own && own.Round != round) return;
        decision.Round = round;
        decision.Timestamp = timestamp;
        foreach (var vote in cast)
        {
            queries.AddUnresolved(decision, vote.Dependencies!);
            if (vote.IsLogged && vote.FromPartition != ownership.Partition)
                (decision.MustAcknowledge ??= new() { ToldAt = decision.Touched }).Add(vote.FromPartition);
        }

        // A participant may have taken back what it had written when the agent heard of it (early validation): then it
        // has no prepare that could be asked for.
        if (decision.IsStaged && !cast.TrueForAll(static vote => vote.IsLogged))
            decision.IsStaged = false;
        if (decision.DependencyAborted)
        {
            manager.AbortLogged(decision);
            return;
        }

        if (decision.IsStaged) dependencies.CommitStaged(decision);
        else if (branches.Find(decision.Id)?.FinalStep is { } step) finalSteps.Prepare(decision, step);
        else records.Record(decision);
    }
}
