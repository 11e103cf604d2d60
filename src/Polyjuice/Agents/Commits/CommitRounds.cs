using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// The agent's rounds: it asks the participants to order the transaction, until all have at one timestamp (R2).
/// </summary>
internal sealed class CommitRounds(
    EngineContext context, Mail mail, OwnedPartitions partitions, AttemptSpans spans, AttemptAdmission admissions,
    DueLooks dueLooks, TransactionTable transactions, Lifecycle lifecycle, TransactionProgress progress,
    CommitTimestamps timestamps, CommitOutcomes outcomes)
{
    // A low timestamp keeps reads valid, and may be refused where a write
    // has been read meanwhile; after so many rounds the present ends that.
    private const int LowRounds = 4;

    public void Start(AgentTransaction agent)
    {
        agent.State = AgentState.Preparing;
        agent.Round++;
        agent.Answers = default;
        agent.IsAlone = false;
        agent.Votes = null;
        agent.Touched = context.Now;
        SignsOfLife.Note(agent.Transaction, context);
        dueLooks.Hasten(agent.Transaction, ReminderOf(agent));
        Continue(agent);
    }

    /// <summary>Repeats what may have been lost.</summary>
    public void Remind(AgentTransaction agent)
    {
        if (agent.State == AgentState.Preparing)
        {
            for (var i = 0; i < agent.Parts.Length; i++)
            {
                if (agent.Answers.IsAsked(i) && !agent.Answers.HasOrdered(i)) SendPrepare(agent, agent.Parts[i]);
            }
        }
        else if (agent.Manager < 0)
        {
            foreach (var part in agent.Parts)
            {
                if (agent.Votes is null || !agent.Votes.Voted.Contains(part.Partition)) SendPrepare(agent, part);
            }

            outcomes.AskDependencies(agent);
        }
        else
        {
            // The manager repeats its word to a prepare that it has ordered
            // already; other participants repeat their votes.
            foreach (var part in agent.Parts) SendPrepare(agent, part);
        }
    }

    /// <summary>
    /// When participants that were asked to order it are asked again, or its time to be ordered is up.
    /// </summary>
    public long ReminderOf(AgentTransaction agent) =>
        Math.Min(
            agent.Touched + context.Options.ResendMicroseconds,
            agent.PreparedAt + context.Options.PrepareTimeoutMicroseconds);

    /// <summary>This node has told itself to go on with a round.</summary>
    public void OnContinue(in Message message)
    {
        var go = ContinueMessage.Read(message);
        if (!transactions.TryFind(go.Transaction, out var transaction)
            || transaction.Agent is not { State: AgentState.Preparing } agent)
            return;
        if (agent.Round != go.Round) return;
        if (go.AsksRest) AskRest(agent, hereFirst: false);
        else Continue(agent);
    }

    public void OnPrepareReply(in Message message)
    {
        var reply = PrepareReplyMessage.Read(message);
        if (!transactions.TryFind(reply.Transaction, out var transaction)
            || transaction.Agent is not { State: AgentState.Preparing } agent)
            return;
        if (reply.Round != agent.Round) return;
        SignsOfLife.Note(agent.Transaction, context);
        if (reply.IsOrdered)
        {
            var at = agent.IndexOf(reply.FromPartition);
            if (at < 0 || agent.Answers.HasOrdered(at)) return;
            agent.Answers.Order(at);
            if (agent.IsAlone)
            {
                agent.IsAlone = false;
                agent.Timestamp = reply.Timestamp;
                context.Clock.Raise(reply.Timestamp);
            }

            if (agent.Answers.OrderedCount == agent.Parts.Length) AllOrdered(agent);
            else if (!agent.Answers.AreAllAsked(agent.Parts.Length)) Continue(agent);
            return;
        }

        if (reply.MayRetime && agent.IsAsking)
        {
            NoteSuggestion(agent, reply);
            return;
        }

        if (reply.MayRetime && agent.Round < 8)
        {
            // R2: another round at a timestamp that would do, without executing again.
            context.Clock.Raise(reply.Timestamp);
            agent.Timestamp = agent.Round <= LowRounds && ParticipantUses.IsBeingOvertaken(agent.Parts)
                ? reply.Timestamp + 1
                : Math.Max(context.Clock.Tick(), reply.Timestamp + 1);
            Start(agent);
            return;
        }

        var reason = reply.MayRetime ? AbortReason.Timestamp : reply.Reason;

        // A refusal proves nothing about what the user's code saw, so it never makes the user's exception surface.
        if (reason == AbortReason.UserException) reason = AbortReason.Validation;
        var noted = agent.PendingAbort is { Reason: not AbortReason.UserException } conflict
            ? conflict with { Reason = reason }
            : new AbortInfo(reason, transaction.Type);
        agent.IsRefused = reply.NeverCommits;
        outcomes.AbortPrepared(agent, noted with { LogFailure = partitions.LogFailureAt(reply.FromPartition) });
    }

    /// <summary>
    /// Participants where something that the transaction was built on has no timestamp yet come first, one at a time:
    /// those of this node wait without a message, and the first elsewhere may raise the round's timestamp. Then
    /// everybody else at once. Asking all at once would order the transaction somewhere at a timestamp that turns out
    /// too low elsewhere, when others follow it already.
    /// </summary>
    /// <remarks>
    /// Who holds all that it accesses needs none of that: whatever was handed on to it has a lower timestamp than its
    /// own start. Nobody hands on before it holds all, that is after its own start, which is its timestamp; and who it
    /// hands on to starts later, by the clocks that messages carry. So everybody is asked at once, and orders it as
    /// soon as they have ordered who was there before: no message goes between the one and the other.
    /// </remarks>
    private void Continue(AgentTransaction agent)
    {
        if (agent.Round == 1 && agent.Transaction.Reservations is { HoldsAll: true, HasHandedOn: true, Differs: false })
        {
            agent.Timestamp = Math.Max(
                agent.Timestamp, CommitTimestamps.Least(agent.Transaction, agent.ReadsOnly, out _, out _));
            agent.IsAlone = agent.Parts.Length == 1;
            AskRest(agent, hereFirst: OnlyOneIsElsewhere(agent));
            return;
        }

        for (var branch = agent.Transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner.AwaitOrder(branch, agent.Round)) return;
        }

        if (agent.IsAsking || TryAsk(agent)) return;
        if (agent.Answers.OrderedCount == 0) agent.Timestamp = Math.Max(agent.Timestamp, timestamps.Choose(agent));
        agent.IsAlone = agent.Parts.Length == 1;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (!agent.Parts[i].AwaitsOrder || agent.Parts[i].Node == context.Node || agent.Answers.HasOrdered(i))
                continue;
            agent.IsAlone = agent.Answers.OrderedCount == 0;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
            return;
        }

        AskRest(agent, hereFirst: OnlyOneIsElsewhere(agent));
    }

    /// <summary>
    /// With two and more participants elsewhere where the transaction was built on what has no timestamp yet, even the
    /// first could order it below what turns out at the next. So they are only asked, all at once, which timestamp
    /// would do; with the answers a round follows in which all are known.
    /// </summary>
    private bool TryAsk(AgentTransaction agent)
    {
        var unknown = 0;
        foreach (ref readonly var part in agent.Parts.AsSpan())
            unknown += part.AwaitsOrder && part.Node != context.Node ? 1 : 0;
        if (unknown < 2 || agent.Answers.OrderedCount > 0) return false;
        agent.IsAsking = true;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (!agent.Parts[i].AwaitsOrder || agent.Parts[i].Node == context.Node) continue;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
        }

        return true;
    }

    /// <summary>
    /// A participant that was only asked has said above which timestamp it can order the transaction.
    /// </summary>
    private void NoteSuggestion(AgentTransaction agent, in PrepareReplyMessage reply)
    {
        var at = agent.IndexOf(reply.FromPartition);
        if (at < 0 || agent.Answers.HasOrdered(at)) return;
        agent.Answers.Order(at);
        agent.Parts[at] = agent.Parts[at] with { AwaitsOrder = false };
        context.Clock.Raise(reply.Timestamp);
        agent.Timestamp = Math.Max(agent.Timestamp, reply.Timestamp + 1);
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i) && !agent.Answers.HasOrdered(i)) return;
        }

        agent.IsAsking = false;
        Start(agent);
    }

    /// <summary>
    /// Asks who has not been asked in this round. If only one of them is elsewhere, then those of this node first: they
    /// are asked without a message, and when they have ordered it by then, the one elsewhere is the last. It knows so
    /// by itself when the transaction is sealed, and what it guards is free two messages earlier.
    /// </summary>
    private void AskRest(AgentTransaction agent, bool hereFirst)
    {
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i) || (hereFirst && agent.Parts[i].Node != context.Node)) continue;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
        }

        if (hereFirst)
            mail.Send(context.Node, new ContinueMessage
            {
                Transaction = agent.Transaction.Id, Round = agent.Round, AsksRest = true,
            });
    }

    /// <summary>
    /// Of those who have not been asked, whether one is at another
    /// node and the others, of which there are some, at this.
    /// </summary>
    private bool OnlyOneIsElsewhere(AgentTransaction agent)
    {
        var (here, elsewhere) = (0, 0);
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i)) continue;
            if (agent.Parts[i].Node == context.Node) here++;
            else elsewhere++;
        }

        return here > 0 && elsewhere == 1;
    }

    /// <summary>
    /// Whether every other participant has ordered the transaction in this round: who orders it then is the last.
    /// </summary>
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
        if (part.Node != context.Node) return false;
        for (var branch = agent.Transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.Owner.Partition == part.Partition && branch.Owner.Epoch == part.Epoch)
                return branch.State is BranchState.Ordered or BranchState.Logged && branch.Round == agent.Round;
        }

        return false;
    }

    private void SendPrepare(AgentTransaction agent, in ParticipantUse part)
    {
        Message prepare = new PrepareMessage
        {
            Transaction = agent.Transaction.Id,
            Partition = part.Partition,
            Epoch = part.Epoch,
            Round = agent.Round,
            Timestamp = agent.IsAsking ? 0 : agent.Timestamp,
            Manager = agent.Manager,
            ManagerEpoch = agent.ManagerEpoch,
            Accesses = part.Accesses,
            Parts = agent.Parts,
            ReadsOnly = agent.ReadsOnly,
            MayRaise = agent.IsAlone,
            OnlyAsks = agent.IsAsking,
            IsLast = !agent.IsAsking && IsLast(agent, part.Partition),
        };
        context.Events?.Prepares(prepare);
        if (part.Node == context.Node && partitions.Find(part.Partition) is { IsActive: true })
            mail.SendLocal(prepare with { From = context.Node });
        else partitions.Send(part.Partition, prepare);
    }

    private void AllOrdered(AgentTransaction agent)
    {
        agent.State = AgentState.Sealed;
        var transaction = agent.Transaction;
        if (agent.Manager >= 0) spans.Of(transaction)?.Awaits(context.Now);
        mail.SendToAll(transaction.Visited, new Message { Kind = MessageKind.Sealed, Transaction = transaction.Id });
        if (transaction.Subscribers is not null) progress.TellSubscribersEnd(transaction);
        lifecycle.Seal(transaction);
        context.Options.ConflictTimes?.Sealed(
            context.Now - (transaction.Reservations is { BegunAt: > 0 and var begun }
                ? begun
                : transaction.Start >> HybridClock.LogicalBits));
        admissions.Leave(agent, AbortReason.None);
        if (agent.Manager < 0) outcomes.TryDecideReads(agent);
    }
}
