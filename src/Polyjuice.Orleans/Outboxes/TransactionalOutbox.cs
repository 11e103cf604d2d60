using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Outboxes;

/// <inheritdoc cref="ITransactionalOutbox"/>
internal sealed class TransactionalOutbox(
    GrainPlaces places, OutboxDispatch dispatch, Serializer serializer, IServiceProvider services)
    : ITransactionalOutbox
{
    private readonly Lazy<IGrainFactory> _grains = new(services.GetRequiredService<IGrainFactory>);

    /// <inheritdoc/>
    public Task EnqueueAsync<T>(string sender, T content) where T : notnull
    {
        ArgumentException.ThrowIfNullOrEmpty(sender);
        ArgumentNullException.ThrowIfNull(content);
        if (CallScope.Current is not { Grain: { } grain } scope)
        {
            throw new OrleansTransactionException(
                "A message was enqueued outside of a transaction of a grain: mark the grain interface's method "
                + "[Transaction(…)].");
        }

        if (dispatch.Find(sender) is null) throw new ArgumentException(OutboxDispatch.NoSender(sender), nameof(sender));
        var bytes = serializer.SerializeToArray<object>(content);
        if (bytes.Length > dispatch.Options.MessageBytes)
        {
            throw new ArgumentException(
                $"A message to '{sender}' has {bytes.Length} bytes, and may have {dispatch.Options.MessageBytes} "
                + "(OutboxOptions.MessageBytes).",
                nameof(content));
        }

        // Of all attempts the same, as a run that repeats another one has to be.
        var entry = new OutboxEntry(0, grain.GrainId, sender, bytes, scope.Frame.BeganMicroseconds);
        var lane = LaneNames.KeyOf(grain.GrainId, places.PartitionOf(grain.GrainId), places.Partitions);
        return _grains.Value.GetGrain<IOutboxLane>(lane).Enqueue(entry);
    }
}
