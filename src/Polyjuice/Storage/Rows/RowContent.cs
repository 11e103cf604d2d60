namespace Polyjuice.Storage;

/// <summary>What a row holds.</summary>
/// <param name="ETag">Names this version of the row; <see langword="null"/> when there is no row.</param>
/// <param name="CommittedState">
/// The committed state; not looked at while <paramref name="CommittedSequenceId"/> is 0.
/// </param>
/// <param name="CommittedSequenceId">
/// The sequence number of the prepared state that became the committed one; 0 when none has yet.
/// </param>
/// <param name="Metadata">Time stamp and commit records.</param>
/// <param name="PendingStates">
/// Prepared states, by ascending sequence number. Those at or below the committed one are obsolete, and not looked at.
/// </param>
/// <typeparam name="T">The state type.</typeparam>
internal sealed record RowContent<T>(
    string? ETag, T? CommittedState, long CommittedSequenceId, RowMetadata Metadata,
    IReadOnlyList<RowPendingState<T>> PendingStates) where T : class
{
    /// <summary>No row.</summary>
    public static RowContent<T> None { get; } = new(null, null, 0, RowMetadata.Empty, []);
}

/// <summary>What a transaction engine keeps in a row besides states.</summary>
/// <param name="TimeStamp">
/// No transaction was ordered or read there above this; who loads the row goes on above it.
/// </param>
/// <param name="CommitRecords">By transaction.</param>
internal sealed record RowMetadata(DateTime TimeStamp, IReadOnlyDictionary<Guid, RowCommitRecord> CommitRecords)
{
    /// <summary>That of a new row.</summary>
    public static RowMetadata Empty { get; } = new(default, new Dictionary<Guid, RowCommitRecord>());
}

/// <summary>The transaction is committed; until all who wrote in it know, this is here.</summary>
/// <param name="Timestamp">Its commit timestamp.</param>
/// <param name="WriteParticipants">
/// Who wrote in it. A record without any asks for nothing: an engine may drop it at once.
/// </param>
internal sealed record RowCommitRecord(DateTime Timestamp, IReadOnlyList<RowParticipant> WriteParticipants);

/// <summary>A state that a transaction has prepared.</summary>
/// <param name="SequenceId">Its place: 1, 2, 3, … without gaps.</param>
/// <param name="TransactionId">The transaction, as text.</param>
/// <param name="TimeStamp">Its commit timestamp.</param>
/// <param name="Manager">
/// Who knows what became of it; <see langword="null"/> when that is this state itself, and then the metadata says.
/// </param>
/// <param name="State">The state after it.</param>
/// <typeparam name="T">The state type.</typeparam>
internal sealed record RowPendingState<T>(
    long SequenceId, string TransactionId, DateTime TimeStamp, RowParticipant? Manager, T State) where T : class;

/// <summary>A participant as rows name it. A provider writes and reads back all of it, whatever the name is.</summary>
/// <param name="Name">The state's name within its grain.</param>
/// <param name="Grain">The grain's identity as text.</param>
/// <param name="Roles">Bits that belong to whoever wrote them.</param>
internal sealed record RowParticipant(string Name, string Grain, int Roles = 0);
