using Polyjuice.Wire;

namespace Polyjuice.Versions;

/// <summary>
/// A partition as its versions and those who access them know it: where the branches are that they name. Who owns it
/// is above them.
/// </summary>
/// <param name="partition">Its number.</param>
internal abstract class VersionedPartition(int partition)
{
    /// <summary>Its number; of a row, as this node numbers it.</summary>
    public int Partition { get; } = partition;

    /// <summary>Not a log, but one state in a row of its own.</summary>
    public bool IsRow { get; } = PartitionNames.IsRow(partition);

    /// <summary>Fenced, recovered and serving.</summary>
    public abstract bool IsActive { get; }

    /// <summary>
    /// The branches that are not forgotten, by the names that versions and access lists have for them.
    /// </summary>
    public BranchTable Places { get; } = new();

    /// <summary>
    /// A branch that a version or an access list names, or <see langword="null"/> when it is over and forgotten.
    /// </summary>
    public Branch? Find(BranchRef place) => Places.Find(place);

    /// <summary>What a transaction does here, if it does anything.</summary>
    public abstract Branch? BranchOf(LocalTransaction transaction);

    /// <summary>Versions to use again for states of a type: a version's content may be filled anew.</summary>
    public abstract SpareVersions SparesOf(StateAdapter? adapter);
}
