namespace Polyjuice.Hosting;

/// <summary>
/// Which group each grain belongs to, and by that in which log partition its states are: what is hashed is the group's text. The one place where partitions come
/// from, the same on all silos and for as long as the logs last. Thread-safe.
/// </summary>
internal abstract class GrainGroups
{
    /// <summary>Each grain is a group of its own.</summary>
    public static GrainGroups Own { get; } = new OwnGroups();

    /// <summary>The text of a grain's group; the grain's own where it declares none.</summary>
    /// <param name="grain">The grain's identity as text ("account/2A").</param>
    /// <returns><see langword="null"/> if nobody here can tell: a class that this process does not have, or a key of which the declaration makes nothing.</returns>
    public abstract string? GroupOf(string grain);

    /// <summary>The log partition of a grain. One whose group nobody can tell counts as its own: no call of it gets as far as its states.</summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="partitions">How many there are; at least 1.</param>
    public int PartitionOf(string grain, int partitions) => StableHash.Partition(GroupOf(grain) ?? grain, partitions);

    /// <summary>Where a grain belongs whose states are in another partition, or <see langword="null"/> if they are where they belong, as far as anybody here can tell.</summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="partition">Where its states are.</param>
    /// <param name="partitions">How many there are.</param>
    public int? BelongsElsewhere(string grain, int partition, int partitions) =>
        GroupOf(grain) is { } group && StableHash.Partition(group, partitions) is var right && right != partition ? right : null;

    private sealed class OwnGroups : GrainGroups
    {
        public override string GroupOf(string grain) => grain;
    }
}
