using Polyjuice.Contracts;

namespace Polyjuice.Storage;

/// <summary>
/// The position and identity of the batch that a row was last written for, and the timestamp of its committed state.
/// </summary>
internal readonly record struct RowHead(long Position, long Timestamp, BatchId Batch);

/// <summary>A prepared state as far as it must be known to change the row.</summary>
internal readonly record struct RowEntry(long SequenceId, TransactionId Id, int Round);

/// <summary>What a row has, for finding out what has to be stored.</summary>
/// <param name="ETag">See <see cref="RowContent{T}"/>.</param>
/// <param name="Head">Of the last batch; none in a row that is new, or another engine's.</param>
/// <param name="CommittedSequenceId">See <see cref="RowContent{T}"/>.</param>
/// <param name="Entries">Prepared states that count, by sequence number.</param>
/// <param name="LastSequenceId">
/// The highest sequence number there, be it of what a store that failed half-way has left.
/// </param>
internal sealed record RowView(
    string? ETag, RowHead? Head, long CommittedSequenceId, IReadOnlyList<RowEntry> Entries, long LastSequenceId);
