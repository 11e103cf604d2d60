using Polyjuice.Commit;

namespace Polyjuice.Execution;

// The agent's rounds: it asks the participants to order the transaction, until all have at one timestamp (R2).
internal sealed partial class TransactionEngine
{
    // A low timestamp keeps reads valid, and may be refused where a write has been read meanwhile; after so many rounds the present ends that.
    private const int LowRounds = 4;

    private void StartRound(AgentTransaction agent)
    {
        agent.State = AgentState.Preparing;
        agent.Round++;
        agent.Answers = default;
        agent.IsAlone = false;
        agent.Votes = null;
        agent.Touched = Context.Now;
        DueLooks.Hasten(agent.Transaction, ReminderOf(agent));
        ContinueRound(agent);
    }

    /// <summary>
    /// Participants where something that the transaction was built on has no timestamp yet come first, one at a time: those of this
    /// node wait without a message, and the first elsewhere may raise the round's timestamp. Then everybody else at once. Asking all at
    /// once would order the transaction somewhere at a timestamp that turns out too low elsewhere, when others follow it already.
    /// </summary>
    /// <remarks>
    /// Who holds all that it accesses needs none of that: whatever was handed on to it has a lower timestamp than its own start. Nobody hands on before it holds all, that is after its own start, which is its timestamp; and who it hands on to
    /// starts later, by the clocks that messages carry. So everybody is asked at once, and orders it as soon as they have ordered who was there before: no message goes between the one and the other.
    /// </remarks>
    private void ContinueRound(AgentTransaction agent)
    {
        if (agent.Round == 1 && agent.Transaction.Reservations is { HoldsAll: true, HasHandedOn: true, Differs: false })
        {
            agent.Timestamp = Math.Max(agent.Timestamp, LeastTimestamp(agent.Transaction, agent.ReadsOnly, out _, out _));
            agent.IsAlone = agent.Parts.Length == 1;
            AskRest(agent, hereFirst: OnlyOneIsElsewhere(agent));
            return;
        }

        for (var branch = agent.Transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner.AwaitOrder(branch, agent.Round)) return;
        }

        if (agent.IsAsking || TryAsk(agent)) return;
        if (agent.Answers.OrderedCount == 0) agent.Timestamp = Math.Max(agent.Timestamp, ChooseTimestamp(agent));
        agent.IsAlone = agent.Parts.Length == 1;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (!agent.Parts[i].AwaitsOrder || agent.Parts[i].Node == Context.Node || agent.Answers.HasOrdered(i)) continue;
            agent.IsAlone = agent.Answers.OrderedCount == 0;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
            return;
        }

        AskRest(agent, hereFirst: OnlyOneIsElsewhere(agent));
    }

    /// <summary>
    /// With two and more participants elsewhere where the transaction was built on what has no timestamp yet, even the first could order it below what turns out at the next. So they are only asked, all at once, which timestamp would do; with
    /// the answers a round follows in which all are known.
    /// </summary>
    private bool TryAsk(AgentTransaction agent)
    {
        var unknown = 0;
        foreach (ref readonly var part in agent.Parts.AsSpan()) unknown += part.AwaitsOrder && part.Node != Context.Node ? 1 : 0;
        if (unknown < 2 || agent.Answers.OrderedCount > 0) return false;
        agent.IsAsking = true;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (!agent.Parts[i].AwaitsOrder || agent.Parts[i].Node == Context.Node) continue;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
        }

        return true;
    }

    /// <summary>A participant that was only asked has said above which timestamp it can order the transaction.</summary>
    private void NoteSuggestion(AgentTransaction agent, in Message reply)
    {
        var at = IndexOf(agent, reply.FromPartition);
        if (at < 0 || agent.Answers.HasOrdered(at)) return;
        agent.Answers.Order(at);
        agent.Parts[at] = agent.Parts[at] with { AwaitsOrder = false };
        Context.Clock.Raise(reply.Timestamp);
        agent.Timestamp = Math.Max(agent.Timestamp, reply.Timestamp + 1);
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i) && !agent.Answers.HasOrdered(i)) return;
        }

        agent.IsAsking = false;
        StartRound(agent);
    }

    /// <summary>
    /// Asks who has not been asked in this round. If only one of them is elsewhere, then those of this node first: they are asked without a message, and when
    /// they have ordered it by then, the one elsewhere is the last. It knows so by itself when the transaction is sealed, and what it guards is free two messages earlier.
    /// </summary>
    private void AskRest(AgentTransaction agent, bool hereFirst)
    {
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i) || (hereFirst && agent.Parts[i].Node != Context.Node)) continue;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
        }

        if (hereFirst) Mail.SendLocal(new Message { Kind = MessageKind.Continue, Flags = MessageFlags.Rest, Transaction = agent.Transaction.Id, Round = agent.Round, From = Context.Node });
    }

    /// <summary>Of those who have not been asked, whether one is at another node and the others, of which there are some, at this.</summary>
    private bool OnlyOneIsElsewhere(AgentTransaction agent)
    {
        var (here, elsewhere) = (0, 0);
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i)) continue;
            if (agent.Parts[i].Node == Context.Node) here++;
            else elsewhere++;
        }

        return here > 0 && elsewhere == 1;
    }

    /// <summary>Whether every other participant has ordered the transaction in this round: who orders it then is the last.</summary>
    private bool IsLast(AgentTransaction agent, int partition)
    {
        // Who is asked last is last in the list: with very many, nearly all are told from that alone.
        for (var i = agent.Parts.Length - 1; i >= 0; i--)
        {
            if (agent.Parts[i].Partition == partition) continue;
            if (!agent.Answers.IsAsked(i)) return false;
            if (!agent.Answers.HasOrdered(i) && !HasOrderedHere(agent, agent.Parts[i])) return false;
        }

        return true;
    }

    /// <summary>A participant of this node has ordered it, though its answer may still be queued.</summary>
    private bool HasOrderedHere(AgentTransaction agent, in ParticipantUse part)
    {
        if (part.Node != Context.Node) return false;
        for (var branch = agent.Transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner.Partition == part.Partition && branch.Owner.Epoch == part.Epoch) return branch.State is BranchState.Ordered or BranchState.Logged && branch.Round == agent.Round;
        }

        return false;
    }

    private void SendPrepare(AgentTransaction agent, in ParticipantUse part)
    {
        var prepare = new Message
        {
            Kind = MessageKind.Prepare,
            Transaction = agent.Transaction.Id,
            Partition = part.Partition,
            Epoch = part.Epoch,
            Round = agent.Round,
            Timestamp = agent.IsAsking ? 0 : agent.Timestamp,
            Manager = agent.Manager,
            ManagerEpoch = ManagerEpochOf(agent),
            Count = part.Accesses,
            Parts = agent.Parts,
            Flags = (agent.ReadsOnly ? MessageFlags.ReadsOnly : MessageFlags.None) | (agent.IsAlone ? MessageFlags.MayRaise : MessageFlags.None)
                | (agent.IsAsking ? MessageFlags.Asks : IsLast(agent, part.Partition) ? MessageFlags.Last : MessageFlags.None),
        };
        Context.Events?.Prepares(prepare);
        if (part.Node == Context.Node && Partitions.Find(part.Partition) is { IsActive: true }) Mail.SendLocal(prepare with { From = Context.Node });
        else Partitions.Send(part.Partition, prepare);
    }

    private void OnPrepareReply(in Message reply)
    {
        if (!Transactions.TryFind(reply.Transaction, out var transaction) || transaction.Agent is not { State: AgentState.Preparing } agent) return;
        if (reply.Round != agent.Round) return;
        if (reply.Has(MessageFlags.Committed))
        {
            var at = IndexOf(agent, reply.FromPartition);
            if (at < 0 || agent.Answers.HasOrdered(at)) return;
            agent.Answers.Order(at);
            if (agent.IsAlone)
            {
                agent.IsAlone = false;
                agent.Timestamp = reply.Timestamp;
                Context.Clock.Raise(reply.Timestamp);
            }

            if (agent.Answers.OrderedCount == agent.Parts.Length) AllOrdered(agent);
            else if (!agent.Answers.AreAllAsked(agent.Parts.Length)) ContinueRound(agent);
            return;
        }

        if (reply.Has(MessageFlags.Retime) && agent.IsAsking)
        {
            NoteSuggestion(agent, reply);
            return;
        }

        if (reply.Has(MessageFlags.Retime) && agent.Round < 8)
        {
            // R2: another round at a timestamp that would do, without executing again.
            Context.Clock.Raise(reply.Timestamp);
            agent.Timestamp = agent.Round <= LowRounds && IsBeingOvertaken(agent.Parts) ? reply.Timestamp + 1 : Math.Max(Context.Clock.Tick(), reply.Timestamp + 1);
            StartRound(agent);
            return;
        }

        var reason = reply.Has(MessageFlags.Retime) ? AbortReason.Timestamp : (AbortReason)reply.Count;

        // A refusal proves nothing about what the user's code saw, so it never makes the user's exception surface.
        if (reason == AbortReason.UserException) reason = AbortReason.Validation;
        var noted = agent.PendingAbort is { Reason: not AbortReason.UserException } conflict ? conflict with { Reason = reason } : new AbortInfo(reason, transaction.Type);
        agent.IsRefused = reply.Has(MessageFlags.Final);
        AbortPrepared(agent, noted with { LogFailure = Partitions.LogFailureAt(reply.FromPartition) });
    }

    /// <summary>The log that a transaction waits for, as far as this node knows: its manager's, another one's that takes part, or one of this node's that what it was built upon may wait for.</summary>
    private string? LogFailureOf(AgentTransaction agent)
    {
        if (Partitions.LogFailureAt(agent.Manager) is { } failure) return failure;
        if (Context.Statistics.LogsOut == 0) return null;
        foreach (var part in agent.Parts)
        {
            if (Partitions.Owner(part.Partition) is { IsLogOut: true } owner) return owner.LogFailure;
        }

        foreach (var owner in Partitions.All)
        {
            if (owner.IsLogOut) return owner.LogFailure;
        }

        return null;
    }

    /// <summary>Remembers at which participant a prepare was refused, for the message that the caller may get.</summary>
    internal void NoteConflict(TransactionId id, Participant participant)
    {
        if (Transactions.TryFind(id, out var transaction) && transaction.Agent is { } agent)
        {
            var other = participant.Last.Writer?.Transaction;
            agent.PendingAbort ??= new AbortInfo(
                AbortReason.Validation, transaction.Type, participant.Key.Grain,
                $"{participant.Key.GrainClass}.{participant.Key.State}", other?.Type);
            if (other is not null) Spans.Of(transaction)?.Conflicts(other.Id);
        }
    }

    private static int IndexOf(AgentTransaction agent, int partition)
    {
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Parts[i].Partition == partition) return i;
        }

        return -1;
    }

    private void AllOrdered(AgentTransaction agent)
    {
        agent.State = AgentState.Sealed;
        var transaction = agent.Transaction;
        if (agent.Manager >= 0) Spans.Of(transaction)?.Awaits(Context.Now);
        Mail.SendToVisited(transaction, new Message { Kind = MessageKind.Sealed, Transaction = transaction.Id });
        if (transaction.Subscribers is not null) Progress.TellSubscribersEnd(transaction);
        Lifecycle.Seal(transaction);
        Context.Options.ConflictTimes?.Sealed(Context.Now - (transaction.Reservations is { BegunAt: > 0 and var begun } ? begun : transaction.Start >> HybridClock.LogicalBits));
        Admission.Leave(agent, AbortReason.None);
        if (agent.Manager < 0) TryDecideReads(agent);
    }
}
