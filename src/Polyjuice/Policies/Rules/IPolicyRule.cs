namespace Polyjuice.Policies;

/// <summary>
/// Gives the rows of a policy from the shape of the workload, so that one
/// built-in policy applies to any. Applied again when new sites are seen.
/// </summary>
internal interface IPolicyRule
{
    /// <summary>The name by which policy files ask for it.</summary>
    string Name { get; }

    /// <summary>
    /// The rows, as a function of the site. Called once per
    /// compilation, so that it can look at the whole workload first.
    /// </summary>
    /// <param name="workload">All types and sites.</param>
    /// <param name="groups">Which types belong together, if the document says so.</param>
    Func<ShapeType, ShapeSite, PolicyCells> RowsFor(WorkloadShape workload, IReadOnlyList<TypeGroup> groups);
}
