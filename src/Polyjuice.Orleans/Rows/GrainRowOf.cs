using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Rows;

/// <inheritdoc/>
/// <param name="grain">The activation.</param>
/// <param name="key">Which state of which grain.</param>
/// <param name="storage">The name of the storage that the state asks for.</param>
/// <param name="codec">How values are copied.</param>
/// <param name="open">The row; each has its own object of the provider, because one serves one reader.</param>
/// <typeparam name="T">The state type.</typeparam>
internal sealed class GrainRowOf<T>(
    IGrainContext grain, ParticipantKey key, string? storage, IStateCodec<T> codec, Func<IRowStore<T>> open)
    : GrainRow(grain, key, storage) where T : class
{
    /// <inheritdoc/>
    public override Task AcquireAsync(TransactionEngine engine, CancellationToken cancellationToken) =>
        engine.AcquireRowAsync(Key, codec, open(), cancellationToken);

    /// <inheritdoc/>
    public override async Task<bool> HoldsStateAsync(CancellationToken cancellationToken)
    {
        var content = await open().LoadAsync(cancellationToken);

        // A fence alone is no state, and what names no manager was never committed.
        return content.CommittedSequenceId > 0 || content.PendingStates.Any(static state => state.Manager is not null)
            || content.Metadata.CommitRecords.Values.Any(static record => record.WriteParticipants.Count > 0);
    }

    /// <inheritdoc/>
    public override async Task<RowReport> InspectAsync(CancellationToken cancellationToken)
    {
        var content = await open().LoadAsync(cancellationToken);
        return new(
            Key.State,
            content.PendingStates.Count(
                state => state.SequenceId > content.CommittedSequenceId && state.Manager is not null),
            content.Metadata.CommitRecords.Count(record => record.Value.WriteParticipants.Count > 0));
    }
}
