using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>What transactions have accessed, by partition: who takes part in their commits.</summary>
internal static class ParticipantUses
{
    /// <summary>So many participants are compared with each other; of more, a set is made.</summary>
    private const int PartsComparedMax = 16;

    /// <summary>What a transaction has accessed, as far as this node knows.</summary>
    public static ParticipantUse[] Collect(LocalTransaction transaction, NodeId node)
    {
        var count = transaction.Remote?.Count ?? 0;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction) count++;
        if (count == 0) return [];
        if (count == 1 && transaction.Branches is { } only) return only.Owner.SoleUse(UseOf(only, node));
        var parts = new ParticipantUse[count];
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            parts[--count] = UseOf(branch, node);
        if (transaction.Remote is { } remote)
        {
            foreach (var use in remote) parts[--count] = use;
        }

        return parts;
    }

    private static ParticipantUse UseOf(Branch branch, NodeId node) =>
        new(
            branch.Owner.Partition, branch.Owner.Epoch, node, branch.Accesses, branch.HasWrites,
            branch.HasUndecidedReads, branch.UnorderedRead is not null, branch.FinalStep is not null,
            branch.IsBeingOvertaken);

    /// <summary>
    /// Whether a partition has served accesses in two epochs: here, by an owner that does not know that it was
    /// deposed, and elsewhere.
    /// </summary>
    public static bool HasTwoEpochs(ParticipantUse[] parts)
    {
        if (parts.Length < 2) return false;
        if (parts.Length > PartsComparedMax)
            return parts.DistinctBy(static part => part.Partition).Count() < parts.Length;
        for (var i = 1; i < parts.Length; i++)
        {
            for (var j = 0; j < i; j++)
            {
                if (parts[i].Partition == parts[j].Partition) return true;
            }
        }

        return false;
    }

    public static bool HasTwoFinalSteps(ParticipantUse[] parts)
    {
        var steps = 0;
        foreach (ref readonly var part in parts.AsSpan()) steps += part.Decides ? 1 : 0;
        return steps > 1;
    }

    /// <summary>Whether there is a partition where it read something that it did not write.</summary>
    public static bool IsBeingOvertaken(ReadOnlySpan<ParticipantUse> parts)
    {
        foreach (ref readonly var part in parts)
        {
            if (part.IsOvertaken) return true;
        }

        return false;
    }
}
