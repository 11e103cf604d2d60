using System.Runtime.InteropServices;
using Polyjuice.Diagnostics;
using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

// Messages in, messages out.
internal sealed partial class TransactionEngine
{
    // Of one batch, until all of it has been understood.
    private readonly List<Message> _arrived = [];

    /// <summary>Whether nothing waits that this node has said to itself; for tests.</summary>
    internal bool HasNothingToTellItself => Mail.IsLocalEmpty;

    /// <summary>Takes a batch that another node's host was asked to <see cref="IEngineHost.Send"/> to this one.</summary>
    /// <param name="from">Who sent it.</param>
    /// <param name="batch">The bytes as sent.</param>
    /// <exception cref="CodingException">The bytes are not a batch of this version; nothing of them was applied.</exception>
    public void Receive(NodeId from, ReadOnlySpan<byte> batch)
    {
        if (Context.IsStopped || Dead.Contains(from)) return;
        var reader = new ByteReader(batch, Context.Names);
        var (sender, clock, oldestLive, count) = Outbox.ReadHeader(ref reader);
        if (sender != from) throw new CodingException($"A batch from {from} says that it is from {sender}.");
        var last = Context.Clock.Last;
        if (!Context.Clock.TryAccept(clock))
        {
            Context.Log.SkewRefused(from.Value, (clock >> HybridClock.LogicalBits) - Context.Now);
            return;
        }

        _arrived.Clear();
        for (var i = 0; i < count; i++) _arrived.Add(Message.Read(ref reader, from));
        Agents.Heard(from, oldestLive);
        Context.Events?.Heard(from, clock, last, oldestLive);
        foreach (ref readonly var message in CollectionsMarshal.AsSpan(_arrived)) Mail.Deliver(message);
        _arrived.Clear();
        Timers.EnsureTicking();
        DrainNow();
    }

    /// <summary>Sends what has accumulated for other nodes and starts appends; see <see cref="IEngineHost.RequestFlush"/>.</summary>
    public void Flush()
    {
        if (Context.IsStopped) return;
        FlushOnce();
    }

    /// <summary>Whether the next <see cref="Flush"/> sends something to another node. May say so too late, for what only follows from local messages.</summary>
    public bool HasMail => Mail.HasOutgoing || Progress.HasNews;

    private void FlushOnce()
    {
        try
        {
            bool again;
            do
            {
                Drain();
                again = Logs.Flush();
                again |= Rows.Flush();
            }
            while (again || !Mail.IsLocalEmpty);
        }
        catch (InvariantException exception)
        {
            Mail.FlushEnded();
            Fail(exception);
            return;
        }

        Progress.Report();
        Mail.Flush(Live.OldestLive);
    }

    private bool _isDraining;

    /// <summary>
    /// Handles at once what this node has to say to itself: a transaction whose participants are all here is ordered and sealed in
    /// the turn in which its body ends, so that nothing can come between its accesses and its place in the order.
    /// </summary>
    private void DrainNow()
    {
        try
        {
            Drain();
        }
        catch (InvariantException exception)
        {
            Fail(exception);
        }
    }

    private void Drain()
    {
        if (_isDraining) return;
        _isDraining = true;
        try
        {
            do
            {
                while (Mail.TryTake(out var message)) Dispatch(message);
                Waits.Probes.PassOn();
            }
            while (!Mail.IsLocalEmpty);
        }
        finally
        {
            _isDraining = false;
        }
    }

    private void Dispatch(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.PrepareReply:
                Rounds.OnPrepareReply(message);
                return;
            case MessageKind.Continue:
                Rounds.OnContinue(message);
                return;
            case MessageKind.AgentOutcome:
                Outcomes.OnAgentOutcome(message);
                return;
            case MessageKind.Vote when message.Partition < 0:
                Outcomes.OnAgentVote(message);
                return;
            case MessageKind.DependencyAnswer when message.Has(MessageFlags.ToAgent):
                Outcomes.OnAgentDependencyAnswer(message);
                return;
            case MessageKind.Sealed:
                if (Transactions.TryFind(message.Transaction, out var sealing)) Lifecycle.Seal(sealing);
                return;
            case MessageKind.Abandon:
                Lifecycle.OnAbandon(message.Transaction);
                return;
            case MessageKind.Doomed:
                Lifecycle.OnDoomed(message);
                return;
            case MessageKind.Reserve:
                Chains.OnReserve(message);
                return;
            case MessageKind.Reserved:
                Chains.OnReserved(message);
                return;
            case MessageKind.Withdraw:
                Withdrawals.OnWithdraw(message);
                return;
            case MessageKind.GiveWay:
                GivingWay.OnGiveWay(message);
                return;
            case MessageKind.Load:
                _ = Loading.LoadAsync(message);
                return;
            case MessageKind.Loaded:
                Loading.OnLoaded(message);
                return;
            case MessageKind.Hot:
                if (message.Plan is { } hot) Hot.Heard(hot);
                return;
            case MessageKind.Admission:
                AgreedAdmission.Heard(message);
                return;
            case MessageKind.AttemptLimit:
                AgreedLimit.Heard(message);
                return;
            case MessageKind.Choice:
                Chooser.Heard(message);
                return;
            case MessageKind.DryRunEnded:
                DryRuns.OnEnded(message.Transaction);
                return;
            case MessageKind.News:
                if (message.Has(MessageFlags.ToAgent)) Mail.Send(message.From, new Message { Kind = MessageKind.News });
                if (message.Epoch > 0)
                {
                    Partitions.NoteEpoch(message.Partition, message.Epoch);
                    Partitions.NoteRival(message);
                    TakeOvers.OnOwner(message.Partition, message.Epoch);
                }

                return;
            case MessageKind.Subscribe:
                Progress.OnSubscribe(message);
                return;
            case MessageKind.Progress:
                Progress.OnProgress(message);
                return;
            case MessageKind.Expose:
                Exposures.ExposeHere(message.Transaction);
                return;
            case MessageKind.Probe:
                Waits.Probes.Arrive(message);
                return;
            case MessageKind.Victim:
                if (Transactions.TryFind(message.Transaction, out var victim)) Waits.OnVictim(victim);
                return;
            case MessageKind.Parallel:
                if (Transactions.TryFind(message.Transaction, out var parallel)) Parallel.NoteParallel(parallel);
                return;
        }

        if (message.Kind == MessageKind.Prepare)
        {
            foreach (ref readonly var part in message.Parts.AsSpan())
            {
                // Of what was served here nothing new is said; there may be very many.
                if (part.Node == Context.Node) continue;
                Partitions.NoteEpoch(part.Partition, part.Epoch);

                // And the other way round: who served the accesses has been deposed, and may not know.
                if (Partitions.Find(part.Partition) is { IsActive: true } later && later.HasDeposed(part.Epoch))
                    Mail.Send(part.Node, new Message { Kind = MessageKind.News, Partition = part.Partition, Epoch = later.Epoch });
            }
        }

        if (Partitions.Find(message.Partition) is not { IsActive: true } owner)
        {
            if (PartitionNames.IsRow(message.Partition)) Rows.Wake(message);
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
}
