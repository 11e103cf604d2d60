using Orleans;

namespace Polyjuice.Orleans;

/// <summary>
/// A message was not enqueued, because too much waits to be sent already
/// (<see cref="global::Orleans.Configuration.OutboxOptions.LaneBytes"/>). The transaction aborts with it.
/// </summary>
/// <param name="message">The same for people.</param>
[GenerateSerializer, Alias("Polyjuice.OutboxFullException")]
public sealed class OutboxFullException(string message) : InvalidOperationException(message);
