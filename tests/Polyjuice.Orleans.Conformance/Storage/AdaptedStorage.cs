using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Rows;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Conformance.Storage;

/// <summary>
/// A provider behind this engine's adapter, turned back into what a provider looks like: what the kit stores goes
/// through both translations each way. The kit's participants have no grains; here they get one on the way in, because
/// every participant that engines write has.
/// </summary>
internal sealed class AdaptedStorage<T>(
    IRowStore<T> row, IGrainFactory grains) : ITransactionalStateStorage<T> where T : class, new()
{
    private static readonly string s_nobody = GrainId.Create("nobody", "0").ToString();

    public static async Task<ITransactionalStateStorage<T>> OpenAsync(KitCluster cluster, string store)
    {
        var key = Guid.NewGuid();
        await cluster.Grains.GetGrain<IStorageGrain>(key).Show();
        var grain = StorageGrain.Shown[key];
        return new AdaptedStorage<T>(
            new ProviderRow<T>(
                grain, "state",
                () => grain.ActivationServices.GetRequiredService<INamedTransactionalStateStorageFactory>()
                    .Create<T>(store, "state"),
                new ProviderFormat(grain.ActivationServices.GetRequiredService<IGrainFactory>()),
                TimeSpan.FromSeconds(30)),
            cluster.Grains);
    }

    public async Task<TransactionalStorageLoadResponse<T>> Load()
    {
        var content = await row.LoadAsync(CancellationToken.None);
        return new(
            content.ETag,
            content.CommittedState ?? new(),
            content.CommittedSequenceId,
            new TransactionalStateMetaData
            {
                TimeStamp = content.Metadata.TimeStamp,
                CommitRecords = content.Metadata.CommitRecords.ToDictionary(
                    record => record.Key,
                    record => new CommitRecord
                    {
                        Timestamp = record.Value.Timestamp,
                        WriteParticipants = [.. record.Value.WriteParticipants.Select(participant => From(participant))]
                    }),
            },
            [
                .. content.PendingStates.Select(state => new PendingTransactionState<T>
                {
                    SequenceId = state.SequenceId, TransactionId = state.TransactionId, TimeStamp = state.TimeStamp,
                    TransactionManager = From(state.Manager), State = state.State,
                }),
            ]);
    }

    public async Task<string> Store(
        string? expectedETag, TransactionalStateMetaData metadata, List<PendingTransactionState<T>>? statesToPrepare,
        long? commitUpTo, long? abortAfter) =>
        await row.StoreAsync(
            expectedETag,
            new(
                metadata.TimeStamp,
                metadata.CommitRecords.ToDictionary(
                    record => record.Key,
                    record => new RowCommitRecord(
                        record.Value.Timestamp,
                        [.. record.Value.WriteParticipants.Select(participant => To(participant)!)]))),
            [
                .. (statesToPrepare
                    ?? []).Select(
                        state => new RowPendingState<T>(
                            state.SequenceId,
                            state.TransactionId,
                            state.TimeStamp,
                            To(state.TransactionManager),
                            state.State))
            ],
            commitUpTo,
            abortAfter,
            CancellationToken.None);

    private static RowParticipant? To(ParticipantId participant) =>
        participant.Name is null
            ? null
            : new(
                participant.Name,
                participant.Reference?.GrainId.ToString() ?? s_nobody,
                (int)participant.SupportedRoles);

    private ParticipantId From(RowParticipant? participant) => participant is null
        ? default
        : new(
            participant.Name,
            participant.Grain == s_nobody ? null! : (GrainReference)grains.GetGrain(GrainId.Parse(participant.Grain)),
            (ParticipantId.Role)participant.Roles);
}
