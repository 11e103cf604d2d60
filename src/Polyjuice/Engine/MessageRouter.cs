using Polyjuice.Agents;
using Polyjuice.Partitions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Engine;

/// <summary>
/// Hands each message that has come, or that this node has said to itself, to the part that it is for.
/// </summary>
internal sealed class MessageRouter(
    EngineContext context, Mail mail, RowOwners rows, OwnedPartitions partitions, NewOwners newOwners,
    TransactionTable transactions, Lifecycle lifecycle, TransactionProgress progress, Exposures exposures,
    ParallelTransactions parallelTransactions, WaitGraph waits, CommitRounds rounds, CommitOutcomes outcomes,
    ReservationChains chains, ReservationWithdrawals withdrawals, GivingWay givingWay, GrainLoading loading,
    DryRuns dryRuns, LoadExchange load)
{
    public void Dispatch(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.PrepareReply or MessageKind.Continue or MessageKind.AgentOutcome:
            case MessageKind.Vote when message.Partition < 0:
            case MessageKind.DependencyAnswer when DependencyAnswerMessage.IsForAgent(message):
                ToAgent(message);
                return;
            case MessageKind.Sealed or MessageKind.Abandon or MessageKind.Doomed or MessageKind.DryRunEnded:
            case MessageKind.Expose or MessageKind.Parallel or MessageKind.Subscribe or MessageKind.Progress:
            case MessageKind.Probe or MessageKind.Victim or MessageKind.Alive:
                OfTransaction(message);
                return;
            case MessageKind.Reserve or MessageKind.Reserved or MessageKind.Withdraw or MessageKind.GiveWay:
            case MessageKind.Load or MessageKind.Loaded:
                OfReservation(message);
                return;
            case MessageKind.Hot or MessageKind.Admission or MessageKind.AttemptLimit or MessageKind.Choice:
                load.Heard(message);
                return;
            case MessageKind.News:
                News(message);
                return;
            default:
                ToOwner(message);
                return;
        }
    }

    /// <summary>About a commit, for the agent.</summary>
    private void ToAgent(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.PrepareReply:
                rounds.OnPrepareReply(message);
                break;
            case MessageKind.Continue:
                rounds.OnContinue(message);
                break;
            case MessageKind.AgentOutcome:
                outcomes.OnAgentOutcome(message);
                break;
            case MessageKind.Vote:
                outcomes.OnAgentVote(message);
                break;
            case MessageKind.DependencyAnswer:
                outcomes.OnAgentDependencyAnswer(message);
                break;
        }
    }

    /// <summary>About what a node knows of a transaction, and who waits for it.</summary>
    private void OfTransaction(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.Sealed:
                if (transactions.TryFind(message.Transaction, out var sealing)) lifecycle.Seal(sealing);
                break;
            case MessageKind.Abandon:
                lifecycle.OnAbandon(message.Transaction);
                break;
            case MessageKind.Doomed:
                lifecycle.OnDoomed(message);
                break;
            case MessageKind.DryRunEnded:
                dryRuns.OnEnded(message.Transaction);
                break;
            case MessageKind.Expose:
                exposures.ExposeHere(message.Transaction);
                break;
            case MessageKind.Parallel:
                if (transactions.TryFind(message.Transaction, out var parallel))
                    parallelTransactions.NoteParallel(parallel);
                break;
            case MessageKind.Subscribe:
                progress.OnSubscribe(message);
                break;
            case MessageKind.Progress:
                progress.OnProgress(message);
                break;
            case MessageKind.Probe:
                waits.Probes.Arrive(message);
                break;
            case MessageKind.Victim:
                if (transactions.TryFind(message.Transaction, out var victim)) waits.OnVictim(victim);
                break;
            case MessageKind.Alive:
                waits.Signs.Heard(message);
                break;
        }
    }

    private void OfReservation(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.Reserve:
                chains.OnReserve(message);
                break;
            case MessageKind.Reserved:
                chains.OnReserved(message);
                break;
            case MessageKind.Withdraw:
                withdrawals.OnWithdraw(message);
                break;
            case MessageKind.GiveWay:
                givingWay.OnGiveWay(message);
                break;
            case MessageKind.Load:
                _ = loading.LoadAsync(LoadMessage.Read(message));
                break;
            case MessageKind.Loaded:
                loading.OnLoaded(message);
                break;
        }
    }

    private void News(in Message message)
    {
        var news = NewsMessage.Read(message);
        if (news.IsQuestion) mail.Send(message.From, new NewsMessage());
        if (news.Epoch <= 0) return;
        partitions.NoteEpoch(news.Partition, news.Epoch);
        partitions.NoteRival(message.From, news.Partition, news.Epoch);
        newOwners.OnOwner(news.Partition, news.Epoch);
    }

    private void ToOwner(in Message message)
    {
        if (message.Kind == MessageKind.Prepare) HearOfOwners(PrepareMessage.Read(message));
        if (partitions.Find(message.Partition) is not { IsActive: true } owner)
        {
            if (PartitionNames.IsRow(message.Partition)) rows.Wake(message);
            return;
        }

        if (owner.HoldsForFence(message)) return;
        switch (message.Kind)
        {
            case MessageKind.Prepare:
                owner.OnPrepare(message);
                break;
            case MessageKind.AbortRequest or MessageKind.Query:
                owner.OnQuery(message);
                break;
            case MessageKind.Outcome:
                owner.OnOutcome(message);
                break;
            case MessageKind.Vote:
                owner.OnVote(message);
                break;
            case MessageKind.VoteQuery:
                owner.OnVoteQuery(message);
                break;
            case MessageKind.Acknowledge:
                owner.OnAcknowledge(message);
                break;
            case MessageKind.DependencyQuery:
                owner.OnDependencyQuery(message);
                break;
            case MessageKind.DependencyAnswer:
                owner.OnDependencyAnswer(message);
                break;
        }
    }

    /// <summary>A prepare says who has served the transaction's accesses.</summary>
    private void HearOfOwners(in PrepareMessage prepare)
    {
        foreach (ref readonly var part in prepare.Parts.AsSpan())
        {
            // Of what was served here nothing new is said; there may be very many.
            if (part.Node == context.Node) continue;
            partitions.NoteEpoch(part.Partition, part.Epoch);

            // And the other way round: who served the accesses has been deposed, and may not know.
            if (partitions.Find(part.Partition) is { IsActive: true } later && later.HasDeposed(part.Epoch))
                mail.Send(part.Node, new NewsMessage { Partition = part.Partition, Epoch = later.Epoch });
        }
    }
}
