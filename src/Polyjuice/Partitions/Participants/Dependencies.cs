using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// R3: who reads or builds upon an undecided version commits only if its writer does. A dependency names the partition
/// and the epoch where it arose, which is asked what became of it (V5).
/// </summary>
internal sealed class Dependencies(OwnerParts shared, Ownership ownership, PrepareLog prepares)
{
    /// <summary>Bound on <see cref="ChainOf"/>: what is longer counts as this.</summary>
    private const int ChainMax = 256;

    /// <summary>
    /// How many undecided transactions a branch stands on, one upon the other, as far as this node knows: from each to
    /// the latest one that it depends on. Walked only while somebody measures it, and no further than
    /// <see cref="ChainMax"/>.
    /// </summary>
    public static int ChainOf(Branch branch)
    {
        var length = 0;
        for (var next = LatestOf(branch); next is not null && length < ChainMax; length++)
            next = LatestOf(next.Transaction);
        return length;
    }

    /// <summary>A branch depends on one of the same partition.</summary>
    public void Add(Branch branch, Branch writer)
    {
        branch.DependsOn ??= [];
        if (branch.DependsOn.Contains(writer)) return;
        if (branch.DependsOn.Count > 0 && shared.Breaks == ProtocolBreaks.OneDependency) return;
        branch.DependsOn.Add(writer);
        writer.Dependents++;
        prepares.RecordHeldBack(writer);
    }

    /// <summary>
    /// What a vote or record names: those still undecided, with the place and epoch where the dependency arose.
    /// </summary>
    public CommitDependency[] Of(Branch branch)
    {
        List<CommitDependency>? undecided = null;
        if (branch.DependsOn is { } dependencies)
        {
            foreach (var dependency in dependencies)
            {
                if (dependency.State == BranchState.Committed) continue;
                (undecided ??= []).Add(new CommitDependency(dependency.Id, ownership.Partition, ownership.Epoch));
            }
        }

        if (branch.LostDependencies is { } lost) (undecided ??= []).AddRange(lost);
        return undecided is null ? [] : [.. undecided];
    }

    private static Branch? LatestOf(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (LatestOf(branch) is { } dependency) return dependency;
        }

        return null;
    }

    private static Branch? LatestOf(Branch branch) =>
        branch.DependsOn?.FindLast(static dependency => dependency.IsUndecided);
}
