using System.Runtime.InteropServices;
using Polyjuice.Commit;

namespace Polyjuice.Execution;

// The agent's part in the commit protocol: who takes part, and at which timestamp.
internal sealed partial class TransactionEngine
{
    /// <summary>So many participants are compared with each other; of more, a set is made.</summary>
    private const int PartsComparedMax = 16;

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
            Complete(agent, agent.PendingAbort);
            return;
        }

        if (HasTwoEpochs(agent.Parts))
        {
            // R1b: one of the two was deposed before the other served, so one of them refuses; and one that is named twice votes once.
            AbortRunning(agent, new AbortInfo(AbortReason.OwnerChanged, transaction.Type));
            return;
        }

        if (!agent.ReadsOnly && HasTwoFinalSteps(agent))
        {
            // Each would have to be the last.
            AbortRunning(agent, new AbortInfo(AbortReason.CommitRefused, transaction.Type));
            return;
        }

        ChooseManager(agent);
        agent.PreparedAt = Context.Now;
        Spans.Of(transaction)?.Prepares(Context.Now);
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

        (bool, int, bool, bool, int) Rank(in ParticipantUse part) => (!part.Decides, LoadOf(part), !part.Depends, !part.Depends && part.Node != Context.Node, part.Partition);
    }

    /// <summary>How much a partition has to do, if it is a row: 0 for logs, more than any of this node for those elsewhere.</summary>
    private int LoadOf(in ParticipantUse part)
    {
        if (!PartitionNames.IsRow(part.Partition)) return 0;
        return Rows.Find(part.Partition) is { IsActive: true } row ? 1 + row.Load : int.MaxValue;
    }

    /// <summary>Whether a partition has served accesses in two epochs: here, by an owner that does not know that it was deposed, and elsewhere.</summary>
    private static bool HasTwoEpochs(ParticipantUse[] parts)
    {
        if (parts.Length < 2) return false;
        if (parts.Length > PartsComparedMax) return parts.DistinctBy(static part => part.Partition).Count() < parts.Length;
        for (var i = 1; i < parts.Length; i++)
        {
            for (var j = 0; j < i; j++)
            {
                if (parts[i].Partition == parts[j].Partition) return true;
            }
        }

        return false;
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
        new(branch.Owner.Partition, branch.Owner.Epoch, Context.Node, branch.Accesses, branch.HasWrites, branch.HasUndecidedReads, branch.UnorderedRead is not null, branch.FinalStep is not null, branch.IsBeingOvertaken);

    /// <summary>
    /// Within the attempt's lifetime and above all that it observed. Where something was only read that others overwrite, the lowest such timestamp, so that it
    /// counts as read before that (as in TicToc); else the present, which needs no second round when read timestamps have moved, and leaves room to those who read what this one writes.
    /// </summary>
    private long ChooseTimestamp(AgentTransaction agent)
    {
        var least = LeastTimestamp(agent.Transaction, agent.ReadsOnly, out var isOvertaken, out var unordered);
        return isOvertaken && !unordered ? least : Math.Max(least, Context.Clock.Tick());
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
}
