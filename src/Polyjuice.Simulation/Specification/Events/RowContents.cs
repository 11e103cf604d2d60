using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>
/// What a row says, read from outside: the fold of all stores.
/// What a store has left that failed half-way is no part of it.
/// </summary>
/// <param name="Prepares">What is prepared: those that only read, and then the others by number.</param>
/// <param name="Commits">Commit records.</param>
/// <param name="Outcomes">Other transactions that are known to have committed.</param>
/// <param name="Version">The committed version, as far as anything names it.</param>
/// <param name="Timestamp">That one's write timestamp.</param>
/// <param name="Ceiling">The time stamp of the row, above which nothing was ordered or read.</param>
internal sealed record RowContents(
    IReadOnlyList<RecoveredPrepare> Prepares, IReadOnlyList<RecoveredCommit> Commits,
    IReadOnlyCollection<TransactionId> Outcomes, VersionId Version, long Timestamp, long Ceiling)
{
    /// <summary>Whether it says that a transaction has committed.</summary>
    public bool HasCommitted(TransactionId id) =>
        Outcomes.Contains(id) || Commits.Any(commit => commit.Id == id && commit.Dependencies.Length == 0);
}
