namespace Polyjuice.Contracts;

/// <summary>
/// Which group each grain belongs to, and by that in which log partition its states are. The one place where partitions
/// come from, the same on all silos and for as long as the logs last. Thread-safe.
/// </summary>
internal abstract class GrainGroups
{
    /// <summary>Each grain is a group of its own.</summary>
    public static GrainGroups Own { get; } = new OwnGroups();

    /// <summary>The log partition of a grain.</summary>
    /// <param name="grain">The grain's identity as text ("account/2A").</param>
    /// <param name="partitions">How many there are; at least 1.</param>
    /// <returns>
    /// <see langword="null"/> if nobody here can tell: a class that this process does not have, or a key of which the
    /// declaration makes nothing.
    /// </returns>
    public abstract int? FindPartition(string grain, int partitions);

    /// <summary>
    /// The log partition of a grain. One whose group nobody can tell counts as its own: no call of it gets as far as
    /// its states.
    /// </summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="partitions">How many there are; at least 1.</param>
    public int PartitionOf(string grain, int partitions) =>
        FindPartition(grain, partitions) ?? StableHash.Partition(grain, partitions);

    /// <summary>
    /// Where a grain belongs whose states are in another partition, or <see langword="null"/> if they are where they
    /// belong, as far as anybody here can tell.
    /// </summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="partition">Where its states are.</param>
    /// <param name="partitions">How many there are.</param>
    public int? BelongsElsewhere(string grain, int partition, int partitions) =>
        FindPartition(grain, partitions) is { } right && right != partition ? right : null;

    private sealed class OwnGroups : GrainGroups
    {
        public override int? FindPartition(string grain, int partitions) =>
            StableHash.Partition(grain, partitions);
    }
}
