using Orleans;
using Orleans.Runtime;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// Translates between rows as the engine has them and as Orleans'
/// storage providers have them; nothing is lost either way. Thread-safe.
/// </summary>
internal sealed class ProviderFormat(IGrainFactory grains)
{
    /// <summary>What a provider has loaded.</summary>
    public RowContent<T> Read<T>(TransactionalStorageLoadResponse<T> response) where T : class, new() => new(
        response.ETag,
        response.CommittedState,
        response.CommittedSequenceId,
        Read(response.Metadata),
        [.. (response.PendingStates ?? []).OrderBy(static state => state.SequenceId).Select(Read)]);

    /// <summary>A row's own grain: what the engine puts into the names of participants goes by that.</summary>
    public GrainReference ReferenceTo(GrainId grain) => (GrainReference)grains.GetGrain(grain);

    /// <summary>Metadata for a provider.</summary>
    /// <param name="metadata">As the engine has it.</param>
    /// <param name="own">The row's grain.</param>
    public TransactionalStateMetaData Write(RowMetadata metadata, RowGrain own)
    {
        var records = new Dictionary<Guid, CommitRecord>(metadata.CommitRecords.Count);

        // What is one object to the engine is one here, too: both of Orleans' serialisers then write it once.
        (RowCommitRecord? From, CommitRecord? To) shared = default;
        foreach (var (id, record) in metadata.CommitRecords)
        {
            if (shared.From is null && record.WriteParticipants.Count == 0) shared = (record, Write(record, own));
            records.Add(id, ReferenceEquals(record, shared.From) ? shared.To! : Write(record, own));
        }

        return new() { TimeStamp = metadata.TimeStamp, CommitRecords = records };
    }

    /// <summary>Prepared states for a provider.</summary>
    /// <param name="states">As the engine has them.</param>
    /// <param name="own">The row's grain.</param>
    public List<PendingTransactionState<T>> Write<T>(
        IReadOnlyList<RowPendingState<T>> states, RowGrain own) where T : class, new() =>
    [
        .. states.Select(state => new PendingTransactionState<T>
        {
            SequenceId = state.SequenceId,
            TransactionId = state.TransactionId,
            TimeStamp = state.TimeStamp,
            TransactionManager = state.Manager is { } manager ? Write(manager, own) : default,
            State = state.State,
        }),
    ];

    private static RowMetadata Read(TransactionalStateMetaData? metadata) => metadata is null
        ? RowMetadata.Empty
        : new(
            metadata.TimeStamp,
            (metadata.CommitRecords ?? []).ToDictionary(
                static record => record.Key,
                static record => new RowCommitRecord(
                    record.Value.Timestamp, [.. (record.Value.WriteParticipants ?? []).Select(Read)])));

    private static RowPendingState<T> Read<T>(PendingTransactionState<T> state) where T : class, new() => new(
        state.SequenceId, state.TransactionId, state.TimeStamp,
        state.TransactionManager.Reference is null ? null : Read(state.TransactionManager), state.State);

    private static RowParticipant Read(ParticipantId participant) =>
        new(participant.Name, participant.Reference.GrainId.ToString(), (int)participant.SupportedRoles);

    private CommitRecord Write(RowCommitRecord record, RowGrain own)
    {
        var participants = new List<ParticipantId>(record.WriteParticipants.Count);
        foreach (var participant in record.WriteParticipants) participants.Add(Write(participant, own));
        return new() { Timestamp = record.Timestamp, WriteParticipants = participants };
    }

    private ParticipantId Write(RowParticipant participant, RowGrain own) =>
        new(
            participant.Name,
            participant.Grain == own.Name ? own.Reference : ReferenceTo(GrainId.Parse(participant.Grain)),
            (ParticipantId.Role)participant.Roles);
}
