using System.Runtime.InteropServices;
using Polyjuice.Commit;

namespace Polyjuice.Execution;

// The agent's part in the commit protocol.
public sealed partial class TransactionEngine
{
    // A low timestamp keeps reads valid, and may be refused where a write has been read meanwhile; after so many rounds the present ends that.
    private const int LowRounds = 4;

    private void StartCommit(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        if (transaction.IsReadOnly)
        {
            CompleteAfterCommitWait(agent, transaction.Start);
            return;
        }

        agent.Parts = CollectParts(transaction);
        if (agent.Parts.Length == 0)
        {
            agent.Complete(agent.PendingAbort);
            return;
        }

        if (!agent.ReadsOnly && HasTwoFinalSteps(agent))
        {
            // Each would have to be the last.
            AbortRunning(agent, new AbortInfo(AbortReason.CommitRefused, transaction.Type));
            return;
        }

        ChooseManager(agent);
        agent.PreparedAt = Now;
        StartRound(agent);
    }

    /// <summary>
    /// The manager is a written participant: one where the transaction depends on undecided others if there is any, and of those the
    /// one with the least number; else one on this node. Transactions that follow each other on hot grains then tend to share a
    /// manager, which knows the outcome of the one before without asking anybody. Where there is a final step to take, all that does not matter.
    /// </summary>
    private void ChooseManager(AgentTransaction agent)
    {
        if (agent.ReadsOnly) return;
        var best = -1;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Parts[i].Writes && (best < 0 || Rank(agent.Parts[i]).CompareTo(Rank(agent.Parts[best])) < 0)) best = i;
        }

        if (best < 0) return;
        agent.Manager = agent.Parts[best].Partition;

        (bool, int, bool, bool, int) Rank(in ParticipantUse part) => (!part.Decides, LoadOf(part), !part.Depends, !part.Depends && part.Node != Node, part.Partition);
    }

    /// <summary>How much a partition has to do, if it is a row: 0 for logs, more than any of this node for those elsewhere.</summary>
    private int LoadOf(in ParticipantUse part)
    {
        if (!PartitionNames.IsRow(part.Partition)) return 0;
        return FindRow(part.Partition) is { IsActive: true } row ? 1 + row.Load : int.MaxValue;
    }

    private static bool HasTwoFinalSteps(AgentTransaction agent)
    {
        var steps = 0;
        foreach (ref readonly var part in agent.Parts.AsSpan()) steps += part.Decides ? 1 : 0;
        return steps > 1;
    }

    private static long ManagerEpochOf(AgentTransaction agent)
    {
        foreach (var part in agent.Parts)
        {
            if (part.Partition == agent.Manager) return part.Epoch;
        }

        return 0;
    }

    private ParticipantUse[] CollectParts(LocalTransaction transaction)
    {
        var count = transaction.Remote?.Count ?? 0;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction) count++;
        if (count == 0) return [];
        if (count == 1 && transaction.Branches is { } only) return only.Owner.SoleUse(UseOf(only));
        var parts = new ParticipantUse[count];
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            parts[--count] = UseOf(branch);
        if (transaction.Remote is { } remote)
        {
            foreach (var use in remote) parts[--count] = use;
        }

        return parts;
    }

    private ParticipantUse UseOf(Branch branch) =>
        new(branch.Owner.Partition, branch.Owner.Epoch, Node, branch.Accesses, branch.HasWrites, branch.HasUndecidedReads, branch.UnorderedRead is not null, branch.FinalStep is not null, branch.IsBeingOvertaken);

    /// <summary>
    /// Within the attempt's lifetime and above all that it observed. Where something was only read that others overwrite, the lowest such timestamp, so that it
    /// counts as read before that (as in TicToc); else the present, which needs no second round when read timestamps have moved, and leaves room to those who read what this one writes.
    /// </summary>
    private long ChooseTimestamp(AgentTransaction agent)
    {
        var least = LeastTimestamp(agent.Transaction, agent.ReadsOnly, out var isOvertaken, out var unordered);
        return isOvertaken && !unordered ? least : Math.Max(least, Clock.Tick());
    }

    /// <summary>Its start, or above what it has observed.</summary>
    /// <param name="transaction">Whose.</param>
    /// <param name="readsOnly">Whether its writes are forgotten.</param>
    /// <param name="isOvertaken">Whether it has read something that others overwrite.</param>
    /// <param name="unordered">Whether it was built on something here that has no timestamp yet.</param>
    private static long LeastTimestamp(LocalTransaction transaction, bool readsOnly, out bool isOvertaken, out bool unordered)
    {
        var least = Math.Max(transaction.Start, transaction.Observed + 1);
        isOvertaken = transaction.Remote is { } remote && IsBeingOvertaken(CollectionsMarshal.AsSpan(remote));
        unordered = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            foreach (var entry in branch.Entries)
            {
                var isWrite = entry.Write is not null && !readsOnly;
                isOvertaken |= entry.IsBeingOvertaken;
                unordered |= entry.Read.Status == VersionStatus.Exposed;
                least = Math.Max(least, Math.Max(entry.Read.Wts, isWrite ? entry.Read.Rts : 0) + 1);
            }
        }

        return least;
    }

    /// <summary>Whether there is a partition where it read something that it did not write.</summary>
    internal static bool IsBeingOvertaken(ReadOnlySpan<ParticipantUse> parts)
    {
        foreach (ref readonly var part in parts)
        {
            if (part.IsOvertaken) return true;
        }

        return false;
    }

    private void StartRound(AgentTransaction agent)
    {
        agent.State = AgentState.Preparing;
        agent.Round++;
        agent.Answers = default;
        agent.IsAlone = false;
        agent.Votes = null;
        agent.Touched = Now;
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
            if (!agent.Parts[i].AwaitsOrder || agent.Parts[i].Node == Node || agent.Answers.HasOrdered(i)) continue;
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
        foreach (ref readonly var part in agent.Parts.AsSpan()) unknown += part.AwaitsOrder && part.Node != Node ? 1 : 0;
        if (unknown < 2 || agent.Answers.OrderedCount > 0) return false;
        agent.IsAsking = true;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (!agent.Parts[i].AwaitsOrder || agent.Parts[i].Node == Node) continue;
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
        Clock.Raise(reply.Timestamp);
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
            if (agent.Answers.IsAsked(i) || (hereFirst && agent.Parts[i].Node != Node)) continue;
            agent.Answers.Ask(i);
            SendPrepare(agent, agent.Parts[i]);
        }

        if (hereFirst) SendLocal(new Message { Kind = MessageKind.Continue, Flags = MessageFlags.Rest, Transaction = agent.Transaction.Id, Round = agent.Round, From = Node });
    }

    /// <summary>Of those who have not been asked, whether one is at another node and the others, of which there are some, at this.</summary>
    private bool OnlyOneIsElsewhere(AgentTransaction agent)
    {
        var (here, elsewhere) = (0, 0);
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Answers.IsAsked(i)) continue;
            if (agent.Parts[i].Node == Node) here++;
            else elsewhere++;
        }

        return here > 0 && elsewhere == 1;
    }

    /// <summary>Whether every other participant has ordered the transaction in this round: who orders it then is the last.</summary>
    private bool IsLast(AgentTransaction agent, int partition)
    {
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Parts[i].Partition != partition && !agent.Answers.HasOrdered(i) && !HasOrderedHere(agent, agent.Parts[i])) return false;
        }

        return true;
    }

    /// <summary>A participant of this node has ordered it, though its answer may still be queued.</summary>
    private bool HasOrderedHere(AgentTransaction agent, in ParticipantUse part)
    {
        if (part.Node != Node) return false;
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
        if (part.Node == Node && FindOwner(part.Partition) is { IsActive: true }) SendLocal(prepare with { From = Node });
        else SendToPartition(part.Partition, prepare);
    }

    private void OnPrepareReply(in Message reply)
    {
        if (!_transactions.TryGetValue(reply.Transaction, out var transaction) || transaction.Agent is not { State: AgentState.Preparing } agent) return;
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
                Clock.Raise(reply.Timestamp);
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
            Clock.Raise(reply.Timestamp);
            agent.Timestamp = agent.Round <= LowRounds && IsBeingOvertaken(agent.Parts) ? reply.Timestamp + 1 : Math.Max(Clock.Tick(), reply.Timestamp + 1);
            StartRound(agent);
            return;
        }

        var reason = reply.Has(MessageFlags.Retime) ? AbortReason.Timestamp : (AbortReason)reply.Count;

        // A refusal proves nothing about what the user's code saw, so it never makes the user's exception surface.
        if (reason == AbortReason.UserException) reason = AbortReason.Validation;
        var noted = agent.PendingAbort is { Reason: not AbortReason.UserException } conflict ? conflict with { Reason = reason } : new AbortInfo(reason, transaction.Type);
        AbortPrepared(agent, noted with { LogFailure = LogFailureOf(reply.FromPartition) });
    }

    /// <summary>Why a partition's log can't be written at present, if this node owns it; a transaction that was not prepared has no manager yet (−1).</summary>
    private string? LogFailureOf(int partition) => partition >= 0 ? Owner(partition)?.LogFailure : null;

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
        SendToVisited(transaction, new Message { Kind = MessageKind.Sealed, Transaction = transaction.Id });
        if (transaction.Subscribers is not null) TellSubscribersEnd(transaction);
        Seal(transaction);
        Options.ConflictTimes?.Sealed(Now - (transaction.Reservations is { BegunAt: > 0 and var begun } ? begun : transaction.Start >> HybridClock.LogicalBits));
        LeaveAdmission(agent, AbortReason.None);
        if (agent.Manager < 0) TryDecideReads(agent);
    }

    /// <summary>Repeats what may have been lost.</summary>
    private void Remind(AgentTransaction agent)
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

            AskDependencies(agent);
        }
        else
        {
            // The manager repeats its word to a prepare that it has ordered already; other participants repeat their votes.
            foreach (var part in agent.Parts) SendPrepare(agent, part);
        }
    }

    /// <summary>V3: once a prepare was sent, only the manager aborts.</summary>
    private void AbortPrepared(AgentTransaction agent, AbortInfo abort)
    {
        agent.PendingAbort = abort;
        if (agent.Manager < 0)
        {
            // Nothing was written: nobody but this agent decides.
            AbortRunning(agent, abort);
            return;
        }

        if (Breaks.HasFlag(ProtocolBreaks.AbortViaMgr)) AbortRunning(agent, abort);
        agent.State = agent.IsComplete ? AgentState.Done : AgentState.Aborting;
        agent.Touched = Now;
        RequestAbort(agent);
    }

    private void RequestAbort(AgentTransaction agent) => SendToPartition(agent.Manager, new Message
    {
        Kind = MessageKind.AbortRequest,
        Transaction = agent.Transaction.Id,
        ManagerEpoch = ManagerEpochOf(agent),
        FromPartition = -1,
        Flags = MessageFlags.ToAgent,
    });

    private void OnAgentOutcome(in Message outcome)
    {
        if (!_transactions.TryGetValue(outcome.Transaction, out var transaction) || transaction.Agent is not { } agent) return;
        if (agent.State is AgentState.Running or AgentState.Done) return;
        if (outcome.Has(MessageFlags.Committed))
        {
            if (outcome.Timestamp != 0) agent.Timestamp = outcome.Timestamp;
            CompleteAfterCommitWait(agent, agent.Timestamp);
            return;
        }

        // Every participant hears it, also those that the manager's word may not reach.
        SendToVisited(transaction, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
        foreach (var part in agent.Parts)
        {
            if (part.Partition == agent.Manager) continue;
            SendToPartition(part.Partition, new Message
            {
                Kind = MessageKind.Outcome, Transaction = transaction.Id, FromPartition = agent.Manager,
                Flags = MessageFlags.Aborted | MessageFlags.Final | (outcome.Flags & MessageFlags.Unknown),
            });
        }

        // A final step's word goes first: it may be that nobody knows what it has done.
        var refusal = outcome.Count > 0 ? new AbortInfo((AbortReason)outcome.Count, transaction.Type) : null;
        agent.Complete(refusal ?? agent.PendingAbort ?? new AbortInfo(AbortReason.Cascade, transaction.Type));
    }

    // ---- Nothing written: the participants vote to the agent.

    private void OnAgentVote(in Message vote)
    {
        if (!_transactions.TryGetValue(vote.Transaction, out var transaction) || transaction.Agent is not { Manager: < 0 } agent) return;
        if (agent.State is not (AgentState.Preparing or AgentState.Sealed) || vote.Round != agent.Round) return;
        var votes = agent.Votes ??= new();
        if (votes.Voted.Contains(vote.FromPartition)) return;
        votes.Voted.Add(vote.FromPartition);
        if (vote.Dependencies is { Length: > 0 } dependencies && !Breaks.HasFlag(ProtocolBreaks.NoR7Answer)) votes.Unresolved.AddRange(dependencies);
        TryDecideReads(agent);
    }

    private void TryDecideReads(AgentTransaction agent)
    {
        if (agent.State != AgentState.Sealed || agent.Votes is not { } votes || votes.Voted.Count < agent.Parts.Length) return;
        if (votes.Unresolved.Count > 0)
        {
            AskDependencies(agent);
            return;
        }

        if (agent.ReadsOnly) AbortRunning(agent, agent.PendingAbort!);
        else CompleteAfterCommitWait(agent, agent.Timestamp);
    }

    private void AskDependencies(AgentTransaction agent)
    {
        foreach (var dependency in agent.Votes?.Unresolved ?? [])
        {
            SendToPartition(dependency.Partition, new Message
            {
                Kind = MessageKind.DependencyQuery, Transaction = agent.Transaction.Id, Other = dependency.Transaction,
                Epoch = dependency.Epoch, FromPartition = -1, Flags = MessageFlags.ToAgent,
            });
        }
    }

    private void OnAgentDependencyAnswer(in Message answer)
    {
        if (!_transactions.TryGetValue(answer.Transaction, out var transaction) || transaction.Agent is not { State: AgentState.Sealed, Votes.Unresolved: { } unresolved } agent) return;
        var other = answer.Other;
        var from = answer.FromPartition;
        if (unresolved.RemoveAll(d => d.Transaction == other && d.Partition == from) == 0) return;
        if (answer.Has(MessageFlags.Aborted)) AbortRunning(agent, new AbortInfo(AbortReason.Cascade, transaction.Type));
        else TryDecideReads(agent);
    }

    /// <summary>Nobody is told of a commit that lies in the future of this node's clock: a later transaction elsewhere might get below it.</summary>
    private void CompleteAfterCommitWait(AgentTransaction agent, long timestamp)
    {
        var remaining = Breaks.HasFlag(ProtocolBreaks.CommitWait) ? 0 : Clock.Physical >= timestamp ? 0 : Clock.MicrosecondsUntil(timestamp);
        if (remaining == 0) agent.Complete(null);
        else ScheduleCompletion(agent, timestamp, remaining);
    }

    // Apart, so that only who must wait pays for the closure.
    private void ScheduleCompletion(AgentTransaction agent, long timestamp, long delay) => Host.Schedule(delay, () => CompleteAfterCommitWait(agent, timestamp));
}
