using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>
/// The decision that a partition makes itself about a transaction which aborts there. A manager that aborts a
/// transaction aborts its own branch of it, and a branch that aborts ends what its own manager still collects votes
/// for: versions are below managers, so they call back through this. Only aborts do.
/// </summary>
internal interface IOwnDecisions
{
    /// <summary>A branch aborts: so does what is decided about it here, if votes are still collected.</summary>
    /// <returns>Whether the end of its prepare has to be in the log before anybody is told (V4).</returns>
    bool BranchAborts(Branch branch);
}
