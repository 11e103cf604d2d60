using System.Runtime.InteropServices;
using Polyjuice.Commit;

namespace Polyjuice.Execution;

// What this node knows of transactions: dooming, sealing, ending, progress.
internal sealed partial class TransactionEngine
{
    /// <summary>Calls from other nodes that have got further since the last flush.</summary>
    private readonly List<CallFrame> _progressing = [];

    internal LocalTransaction? Find(TransactionId id) => _transactions.GetValueOrDefault(id);

    /// <summary>The same, and of this node's own attempts also when an older one is live.</summary>
    internal bool HasAgentEnded(TransactionId id) => id.Node == Context.Node ? Find(id) is not { Agent: not null } : Agents.IsAgentDone(id);

    /// <summary>A transaction of which no more than its name is known.</summary>
    internal LocalTransaction FindOrCreateShell(TransactionId id, string? type = null)
    {
        if (_transactions.TryGetValue(id, out var known)) return known;
        var table = Tables.Current;
        if (type is null) return new LocalTransaction(id, "(unknown)", -1, table);
        var shell = new LocalTransaction(id, type, Policies.Registry.GetOrAddType(type), table);
        Know(shell);
        return shell;
    }

    /// <summary>The attempt can't commit. Its accesses throw from now on, its waits end, and a parked prepare is refused.</summary>
    internal void Doom(
        LocalTransaction transaction, AbortReason reason, Participant? participant, int siteId = -1,
        LocalTransaction? other = null, int resumeAt = -1)
    {
        if (transaction.IsDoomed || transaction.IsEnded) return;
        transaction.Doom = new AbortInfo(
            reason, transaction.Type, participant?.Key.Grain, siteId >= 0 ? Tables.SiteName(siteId) : null, other?.Type);
        if (other is not null) Spans.Of(transaction)?.Conflicts(other.Id);
        transaction.ResumeAt = resumeAt;
        Waits.Cancel(transaction);
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
            Mail.SendToVisited(transaction, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
            Mail.SendLocal(new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id, From = Context.Node });
            if (IsOfWaiting(reason)) agent.Watch?.Abandon();
        }
        else if (transaction.Agent is null && transaction.Id.Node != Context.Node)
        {
            Mail.Send(transaction.Id.Node, new Message { Kind = MessageKind.Doomed, Transaction = transaction.Id, Count = (int)reason });
            Mail.SendLocal(new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id, From = Context.Node });
        }
    }

    /// <summary>It needs a log that can't be written.</summary>
    internal void DoomByLog(LocalTransaction transaction, Participant participant, int siteId)
    {
        Doom(transaction, AbortReason.LogUnavailable, participant, siteId);
        if (transaction.Doom is { Reason: AbortReason.LogUnavailable } doom) transaction.Doom = doom with { LogFailure = participant.Owner.LogFailure };
    }

    /// <summary>Whoever waits until it is decided whether a transaction has committed waits for a log that can't be written.</summary>
    internal void DoomWhoAwaitsDecision(LocalTransaction target, PartitionOwner owner)
    {
        if (target.Edges is not { Waiters: { Count: > 0 } waiters }) return;
        foreach (var wait in waiters.ToArray())
        {
            if (wait.Level != Wait.Decided || wait.IsDone) continue;
            Doom(wait.Waiter, AbortReason.LogUnavailable, null, wait.SiteId);
            if (wait.Waiter.Doom is { Reason: AbortReason.LogUnavailable } doom) wait.Waiter.Doom = doom with { LogFailure = owner.LogFailure };
        }
    }

    /// <summary>Whether the body may wait for what never comes.</summary>
    private static bool IsOfWaiting(AbortReason reason) => reason is AbortReason.Timeout or AbortReason.Cancelled or AbortReason.Shutdown or AbortReason.ParticipantLost;

    /// <summary>Its prepares here that wait for a version to be ordered wait no longer.</summary>
    internal static void RefuseParked(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.IsParked) branch.Owner.RefuseParked(branch);
        }
    }

    private void OnDoomed(in Message message)
    {
        if (_transactions.TryGetValue(message.Transaction, out var transaction) && transaction.Agent is { State: AgentState.Running })
            Doom(transaction, (AbortReason)message.Count, null);
    }

    /// <summary>Every participant has ordered it: it stands in nobody's way any more.</summary>
    internal void Seal(LocalTransaction transaction)
    {
        if (transaction.IsSealed) return;
        transaction.IsSealed = true;
        Context.Events?.Over(transaction);
        Unlist(transaction);
        transaction.Reservations?.ReleaseAll();
        Waits.Notify(transaction);
    }

    /// <summary>Its outcome is known here, or it never had one.</summary>
    internal void End(LocalTransaction transaction, bool aborted = false)
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
        Context.Events?.Over(transaction);
        Unlist(transaction);
        if (!aborted || Context.Breaks != ProtocolBreaks.ReserveKept) transaction.Reservations?.ReleaseAll();
        Waits.Cancel(transaction);
        Waits.Notify(transaction);
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
            if (branch.State is BranchState.Ordered or BranchState.Logged && branch.WillLog && branch.Owner.IsActive) return true;
        }

        return false;
    }

    /// <summary>
    /// Whether a partition of this node has not ordered it yet. It may have refused a round, and be asked for another
    /// one: which calls have come must be known until then (R1c).
    /// </summary>
    internal static bool RunsHere(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.State == BranchState.Running && branch.Owner.IsActive) return true;
        }

        return false;
    }

    internal void ForgetIfIdle(LocalTransaction transaction)
    {
        if (transaction is not { IsEnded: true, Agent: null, Frames: null or { Count: 0 } }) return;

        // What was forgotten before may have been heard of again since, and somebody wait for what is known by that name now.
        if (!transaction.IsKnown) return;
        transaction.IsKnown = false;
        _transactions.Remove(transaction.Id);
        Spans.Forget(transaction);
        RestIfDone(transaction);
    }

    private static void Unlist(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            foreach (var entry in branch.Entries) entry.Participant.Unlist(branch);
        }
    }

    private void OnAbandon(TransactionId id)
    {
        AbandonHere(id);
        if (_transactions.TryGetValue(id, out var transaction) && transaction.Agent is null or { State: AgentState.Running }) End(transaction, aborted: true);
    }

    private bool OnExpose(TransactionId id)
    {
        if (!_transactions.TryGetValue(id, out var transaction) || transaction.IsDoomed) return false;
        var isNew = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isNew |= PartitionOwner.ExposeAll(branch);
        return isNew;
    }

    /// <summary>Exposes everything that a transaction has buffered, here at once and elsewhere one-way.</summary>
    /// <returns>Whether there was anything here.</returns>
    internal bool ExposeAll(LocalTransaction transaction)
    {
        var isNew = OnExpose(transaction.Id);
        if (transaction.Remote is not { } remote) return isNew;
        foreach (var use in remote)
        {
            if (use.Writes && use.Node != Context.Node) Mail.Send(use.Node, new Message { Kind = MessageKind.Expose, Transaction = transaction.Id });
        }

        return isNew;
    }

    /// <summary>A frame, or a remote call, has got further.</summary>
    internal void Progressed(LocalTransaction transaction)
    {
        var least = int.MaxValue;
        var frames = CollectionsMarshal.AsSpan(transaction.Frames);
        foreach (var frame in frames)
        {
            if (frame.IsLeaf) least = Math.Min(least, frame.Position);
        }

        foreach (var call in CollectionsMarshal.AsSpan(transaction.RemoteCalls)) least = Math.Min(least, call.Position);
        if (least == int.MaxValue) return;
        if (transaction.Agent is not null)
        {
            Advance(transaction, least);
            return;
        }

        // While its calls are made one after the other, what runs here is all that runs: who waits here need not hear it from the agent, two messages later.
        if (!transaction.IsParallel) Advance(transaction, least);

        // Up to the node that called: the position of what runs below that call.
        foreach (var frame in frames)
        {
            if (frame.Caller is not { } caller || caller.Reached >= least) continue;
            if (caller.Reached == caller.LastReported) _progressing.Add(frame);
            caller.Reached = least;
        }

        if (_progressing.Count > 0) Mail.RequestFlush();
    }

    /// <summary>Tells the callers of calls that have got further and are still running. An answer says so itself, and most calls have one access.</summary>
    private void ReportProgress()
    {
        foreach (var frame in _progressing)
        {
            var caller = frame.Caller!;
            caller.LastReported = caller.Reached;
            if (frame.HasExited) continue;
            Mail.Send(caller.Node, new Message
            {
                Kind = MessageKind.Progress, Transaction = frame.TransactionId, Flags = MessageFlags.OfCall, Epoch = caller.CallId, Count = caller.Reached,
            });
        }

        _progressing.Clear();
    }

    private void Advance(LocalTransaction transaction, int position)
    {
        if (position <= transaction.Progress) return;
        transaction.Progress = position;
        Waits.Notify(transaction);
        TellSubscribers(transaction);
    }

    /// <summary>Asks the agent's node to say when a transaction has got that far; it may already have.</summary>
    internal void SubscribeTo(LocalTransaction target, int level, bool again = false)
    {
        if (target.Agent is not null || target.Id.Node == Context.Node || target.IsEnded || level is Wait.Decided or Wait.Validated) return;
        if (!again && target.SubscribedTo >= level) return;

        // Its agent knows of each node that it has visited, and tells them all when it is sealed or gone.
        if (!again && level == Wait.Sealed && target.Branches is not null) return;
        target.SubscribedTo = Math.Max(target.SubscribedTo, level);
        Mail.Send(target.Id.Node, new Message { Kind = MessageKind.Subscribe, Transaction = target.Id, Count = level });
    }

    private void OnSubscribe(in Message message)
    {
        if (!_transactions.TryGetValue(message.Transaction, out var transaction) || transaction.IsSealed || transaction.IsEnded)
        {
            Mail.Send(message.From, new Message { Kind = MessageKind.Progress, Transaction = message.Transaction, Flags = MessageFlags.Final });
            return;
        }

        var subscription = (message.From, message.Count);
        if (transaction.Subscribers is null) transaction.Subscribers = [subscription];
        else if (!transaction.Subscribers.Contains(subscription)) transaction.Subscribers.Add(subscription);
        if (transaction.Progress > 0) TellSubscribers(transaction);
    }

    private void TellSubscribers(LocalTransaction transaction)
    {
        if (transaction.Subscribers is not { Count: > 0 } subscribers) return;
        var flags = transaction.IsSealed || transaction.IsEnded ? MessageFlags.Final : MessageFlags.None;
        for (var i = subscribers.Count - 1; i >= 0; i--)
        {
            var (node, position) = subscribers[i];
            if (flags == MessageFlags.None && transaction.Progress < position) continue;
            subscribers.RemoveAt(i);
            Mail.Send(node, new Message { Kind = MessageKind.Progress, Transaction = transaction.Id, Count = transaction.Progress, Flags = flags });
        }
    }

    private void OnProgress(in Message message)
    {
        if (!_transactions.TryGetValue(message.Transaction, out var transaction)) return;
        if (message.Has(MessageFlags.OfCall))
        {
            var id = message.Epoch;
            if (transaction.RemoteCalls?.Find(call => call.Id == id) is not { } call || call.Position >= message.Count) return;
            call.Position = message.Count;
            Progressed(transaction);
            return;
        }

        if (message.Has(MessageFlags.Final))
        {
            Seal(transaction);
            return;
        }

        transaction.Progress = Math.Max(transaction.Progress, message.Count);
        Waits.Notify(transaction);
    }

    /// <summary>Remembers at which participant a prepare was refused, for the message that the caller may get.</summary>
    internal void NoteConflict(TransactionId id, Participant participant)
    {
        if (_transactions.TryGetValue(id, out var transaction) && transaction.Agent is { } agent)
        {
            var other = participant.Last.Writer?.Transaction;
            agent.PendingAbort ??= new AbortInfo(
                AbortReason.Validation, transaction.Type, participant.Key.Grain,
                $"{participant.Key.GrainClass}.{participant.Key.State}", other?.Type);
            if (other is not null) Spans.Of(transaction)?.Conflicts(other.Id);
        }
    }
}
