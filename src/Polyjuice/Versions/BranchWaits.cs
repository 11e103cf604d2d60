using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Versions;

/// <summary>
/// Who waits for a branch, and for what it waits: apart from it, because most branches have none of this.
/// </summary>
internal sealed class BranchWaits
{
    /// <summary>Dependencies that a recovered log names and that are not there any more: they did not commit.</summary>
    public List<CommitDependency>? LostDependencies;

    /// <summary>
    /// Dependencies of a recovered branch that have committed: what
    /// the log says of them is kept for this one's sake (V6).
    /// </summary>
    public List<TransactionId>? RecoveredDependencies;

    /// <summary>A prepare that waits for the version it was built on to be ordered, while it does.</summary>
    public ParkedPrepare? ParkedPrepare;

    /// <summary>Branches whose parked prepare waits for this one.</summary>
    public List<Branch>? Parked;

    /// <summary>
    /// What the manager does when everything else is ready to commit, and which may still refuse; in memory only.
    /// </summary>
    public Func<TransactionId, Task<bool>>? FinalStep;

    /// <summary>Who asked what became of it (V5).</summary>
    public List<DependencyQueryMessage>? Askers;
}
