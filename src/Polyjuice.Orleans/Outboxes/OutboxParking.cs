using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Outboxes;

/// <inheritdoc cref="IOutboxParking"/>
internal sealed class OutboxParking(GrainPlaces places, IServiceProvider services) : IOutboxParking
{
    private readonly Lazy<IGrainFactory> _grains = new(services.GetRequiredService<IGrainFactory>);

    /// <inheritdoc/>
    public async Task<IReadOnlyList<ParkedMessage>> ListAsync()
    {
        var messages = new List<ParkedMessage>();
        for (var partition = 0; partition < places.Partitions; partition++)
        {
            var lanes = LaneNames.KeysOf(partition, places.Partitions).ToArray();
            var parked = await Task.WhenAll(lanes.Select(key => _grains.Value.GetGrain<IOutboxLane>(key).ReadParked()));
            foreach (var (key, entries) in lanes.Zip(parked))
                messages.AddRange(entries.Select(entry => Describe(key, entry)));
        }

        return messages;
    }

    /// <inheritdoc/>
    public Task<bool> SendAgainAsync(string id) => UnparkAsync(id, sendsAgain: true);

    /// <inheritdoc/>
    public Task<bool> DropAsync(string id) => UnparkAsync(id, sendsAgain: false);

    private static ParkedMessage Describe(string lane, OutboxEntry entry) => new(
        OutboxDispatch.IdOf(lane, entry.Number), entry.Source, entry.Sender, entry.Content.Length,
        OutboxDispatch.TimeOf(entry));

    private Task<bool> UnparkAsync(string id, bool sendsAgain)
    {
        ArgumentNullException.ThrowIfNull(id);
        var at = id.LastIndexOf('/');
        var isNumber = long.TryParse(
            id.AsSpan(at + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number);
        return at > 0 && isNumber
            ? _grains.Value.GetGrain<IOutboxLane>(id[..at]).Unpark(number, sendsAgain)
            : throw new ArgumentException($"'{id}' is not the id of an outbox message.", nameof(id));
    }
}
