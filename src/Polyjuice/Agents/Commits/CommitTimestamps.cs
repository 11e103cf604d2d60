using System.Runtime.InteropServices;
using Polyjuice.Partitions;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Chooses at which timestamp a transaction is to commit.</summary>
internal sealed class CommitTimestamps(EngineContext context)
{
    /// <summary>
    /// Within the attempt's lifetime and above all that it observed. Where something was only read that others
    /// overwrite, the lowest such timestamp, so that it counts as read before that (as in TicToc); else the present,
    /// which needs no second round when read timestamps have moved, and leaves room to those who read what this one
    /// writes.
    /// </summary>
    public long Choose(AgentTransaction agent)
    {
        var least = Least(agent.Transaction, agent.ReadsOnly, out var isOvertaken, out var unordered);
        return isOvertaken && !unordered ? least : Math.Max(least, context.Clock.Tick());
    }

    /// <summary>Its start, or above what it has observed.</summary>
    /// <param name="transaction">Whose.</param>
    /// <param name="readsOnly">Whether its writes are forgotten.</param>
    /// <param name="isOvertaken">Whether it has read something that others overwrite.</param>
    /// <param name="unordered">Whether it was built on something here that has no timestamp yet.</param>
    public static long Least(LocalTransaction transaction, bool readsOnly, out bool isOvertaken, out bool unordered)
    {
        var least = Math.Max(transaction.Start, transaction.Observed + 1);
        isOvertaken = transaction.Remote is { } remote
            && ParticipantUses.IsBeingOvertaken(CollectionsMarshal.AsSpan(remote));
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
}
