using Polyjuice.Contracts;

namespace Polyjuice.Storage;

/// <summary>
/// What a row shall hold once a batch is in it. However often storing it
/// fails, and whatever part of it is there already, this stays the same.
/// </summary>
/// <param name="Position">The batch's.</param>
/// <param name="Batch">Which.</param>
/// <param name="CommittedSequenceId">The number of the committed state.</param>
/// <param name="Committed">Its version.</param>
/// <param name="NewlyCommitted">That state, if it was not prepared in the row before.</param>
/// <param name="Entries">The prepared states on top of it, with those states that are not in the row.</param>
/// <param name="Metadata">Time stamp and records.</param>
internal sealed record RowWrite<T>(
    long Position, BatchId Batch, long CommittedSequenceId, VersionId Committed, RowPendingState<T>? NewlyCommitted,
    IReadOnlyList<(RowEntry Entry, RowPendingState<T>? State)> Entries, RowMetadata Metadata)
    where T : class
{
    /// <summary>The highest number that is in use.</summary>
    public long LastSequenceId => Entries.Count > 0 ? Entries[^1].Entry.SequenceId : CommittedSequenceId;

    /// <summary>
    /// What has to be stored. Nothing is ever prepared above the number after which others are removed, so it makes no
    /// difference which of the two a provider does first. <see langword="null"/> when something is gone that was in the
    /// row: somebody else has been there.
    /// </summary>
    public (List<RowPendingState<T>> Prepare, long? CommitUpTo, long? AbortAfter)? From(RowView row)
    {
        var prepare = new List<RowPendingState<T>>();
        var commits = CommittedSequenceId > row.CommittedSequenceId;
        if (commits
            && !row.Entries.Any(entry => entry.SequenceId == CommittedSequenceId && entry.Id == Committed.Transaction))
        {
            if (NewlyCommitted is not { } state) return null;
            prepare.Add(state);
        }

        var at = 0;
        foreach (var (entry, state) in Entries)
        {
            while (at < row.Entries.Count && row.Entries[at].SequenceId < entry.SequenceId) at++;
            if (at < row.Entries.Count && row.Entries[at] == entry) continue;
            if (state is null) return null;
            prepare.Add(state);
        }

        return (prepare, commits
            ? CommittedSequenceId
            : null, row.LastSequenceId > LastSequenceId ? LastSequenceId : null);
    }
}
