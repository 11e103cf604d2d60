using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>What becomes of a transaction here: it is doomed, sealed, ended and forgotten.</summary>
internal sealed class Lifecycle(
    EngineContext context, Mail mail, AbortExceptions exceptions, WaitGraph waits, AttemptSpans spans,
    TablesInForce tables, DueLooks dueLooks, TransactionTable transactions, EndedTransactions ended)
    : ITransactionLife
{
    public void ThrowIfUnusable(CallFrame frame)
    {
        var transaction = frame.Transaction;
        if (context.IsStopped) Doom(transaction, AbortReason.Shutdown, null);
        if (frame.Generation != transaction.Generation || transaction.IsSealed || transaction.IsEnded
            || transaction.IsDoomed || transaction.Agent is { State: not AgentState.Running })
            throw exceptions.DoomException(transaction);
    }

    /// <summary>
    /// The attempt can't commit. Its accesses throw from now on, its waits end, and a parked prepare is refused.
    /// </summary>
    public void Doom(
        LocalTransaction transaction, AbortReason reason, Participant? participant, int siteId = -1,
        LocalTransaction? other = null, int resumeAt = -1)
    {
        if (transaction.IsDoomed || transaction.IsEnded) return;
        transaction.Doom = new AbortInfo(
            reason, transaction.Type, participant?.Key.Grain, siteId >= 0 ? tables.SiteName(siteId) : null,
            other?.Type);
        if (other is not null) spans.Of(transaction)?.Conflicts(other.Id);
        transaction.ResumeAt = resumeAt;
        waits.Cancel(transaction);
        OutgoingCall.Doomed(transaction);
        transaction.Reservations?.StopWaiting();
        transaction.Agent?.Reserving?.Stop();
        RefuseParked(transaction);
        if (transaction.DryRun is not null)
        {
            // Nobody has to hear of it: the real run decides.
            if (IsOfWaiting(reason)) transaction.Agent?.Watch?.Abandon();
            return;
        }

        // What a user's code threw is first to be proven true; a body that resumes keeps what it has.
        if (reason == AbortReason.UserException || resumeAt >= 0) return;
        if (transaction.Agent is { State: AgentState.Running } agent)
        {
            // Nobody waits for the body to find out: whoever is blocked by it goes on now.
            mail.SendToAll(
                transaction.Visited, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
            mail.SendLocal(new Message
            {
                Kind = MessageKind.Abandon,
                Transaction = transaction.Id,
                From = context.Node,
            });
            if (IsOfWaiting(reason)) agent.Watch?.Abandon();
        }
        else if (transaction.Agent is null && transaction.Id.Node != context.Node)
        {
            mail.Send(transaction.Id.Node, new DoomedMessage { Transaction = transaction.Id, Reason = reason });
            mail.SendLocal(new Message
            {
                Kind = MessageKind.Abandon,
                Transaction = transaction.Id,
                From = context.Node,
            });
        }
    }

    /// <summary>It needs a log that can't be written.</summary>
    public void DoomByLog(LocalTransaction transaction, Participant participant, int siteId)
    {
        Doom(transaction, AbortReason.LogUnavailable, participant, siteId);
        if (transaction.Doom is { Reason: AbortReason.LogUnavailable } doom)
            transaction.Doom = doom with { LogFailure = participant.Owner.LogFailure };
    }

    /// <summary>
    /// Whoever waits until it is decided whether a transaction has committed waits for a log that can't be written.
    /// </summary>
    public void DoomWhoAwaitsDecision(LocalTransaction target, PartitionOwner owner)
    {
        if (target.Edges is not { Waiters: { Count: > 0 } waiters }) return;
        foreach (var wait in waiters.ToArray())
        {
            if (wait.Level != Wait.Decided || wait.IsDone) continue;
            Doom(wait.Waiter, AbortReason.LogUnavailable, null, wait.SiteId);
            if (wait.Waiter.Doom is { Reason: AbortReason.LogUnavailable } doom)
                wait.Waiter.Doom = doom with { LogFailure = owner.LogFailure };
        }
    }

    /// <summary>Whether the body may wait for what never comes.</summary>
    private static bool IsOfWaiting(AbortReason reason) =>
        reason is AbortReason.Timeout or AbortReason.Cancelled or AbortReason.Shutdown or AbortReason.ParticipantLost;

    /// <summary>Its prepares here that wait for a version to be ordered wait no longer.</summary>
    public static void RefuseParked(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.IsParked) branch.Owner.RefuseParked(branch);
        }
    }

    public void OnDoomed(in Message message)
    {
        if (transactions.TryFind(message.Transaction, out var transaction)
            && transaction.Agent is { State: AgentState.Running })
            Doom(transaction, DoomedMessage.Read(message).Reason, null);
    }

    /// <summary>Every participant has ordered it: it stands in nobody's way any more.</summary>
    public void Seal(LocalTransaction transaction)
    {
        if (transaction.IsSealed) return;
        transaction.IsSealed = true;
        context.Events?.Over(transaction);
        Unlist(transaction);
        transaction.Reservations?.ReleaseAll();
        waits.Notify(transaction);
    }

    /// <summary>Its outcome is known here, or it never had one.</summary>
    public void End(LocalTransaction transaction, bool aborted = false)
    {
        if (transaction.IsEnded)
        {
            // It ended while its agent still had to tell the caller; now nothing holds it here any more.
            ForgetIfIdle(transaction);
            return;
        }

        if (aborted && transaction.Doom is null) Doom(transaction, AbortReason.ManagerAbort, null);
        if (IsUndecidedHere(transaction))
        {
            // Another partition of this node has not heard the outcome yet: who waits for a decision there waits on.
            if (!aborted) Seal(transaction);
            return;
        }

        transaction.IsEnded = true;
        if (!aborted) transaction.IsSealed = true;
        context.Events?.Over(transaction);
        Unlist(transaction);
        if (!aborted || context.Breaks != ProtocolBreaks.ReserveKept) transaction.Reservations?.ReleaseAll();
        waits.Cancel(transaction);
        waits.Notify(transaction);
        transaction.Predecessors = null;
        transaction.Record = null;
        transaction.DryRun?.Drop();
        ForgetIfIdle(transaction);
    }

    /// <summary>Whether a version of it at a partition of this node may still commit or abort.</summary>
    private static bool IsUndecidedHere(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.State is BranchState.Ordered or BranchState.Logged && branch.WillLog && branch.Owner.IsActive)
                return true;
        }

        return false;
    }

    public void ForgetIfIdle(LocalTransaction transaction)
    {
        if (transaction is not { IsEnded: true, Agent: null, Frames: null or { Count: 0 } }) return;

        // What was forgotten before may have been heard of again since, and somebody wait for what is known by that
        // name now.
        if (!transaction.IsKnown) return;
        transactions.Forget(transaction);
        spans.Forget(transaction);
        dueLooks.RestIfDone(transaction);
    }

    private static void Unlist(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            foreach (var entry in branch.Entries) entry.Participant.Unlist(branch);
        }
    }

    /// <inheritdoc/>
    public void NoteConflict(TransactionId id, Participant participant)
    {
        if (transactions.TryFind(id, out var transaction) && transaction.Agent is { } agent)
        {
            var other = participant.Last.Writer?.Transaction;
            agent.PendingAbort ??= new AbortInfo(
                AbortReason.Validation, transaction.Type, participant.Key.Grain,
                $"{participant.Key.GrainClass}.{participant.Key.State}", other?.Type);
            if (other is not null) spans.Of(transaction)?.Conflicts(other.Id);
        }
    }

    public void OnAbandon(TransactionId id)
    {
        ended.Abandon(id);
        if (transactions.TryFind(id, out var transaction) && transaction.Agent is null or { State: AgentState.Running })
            End(transaction, aborted: true);
    }
}
