using Orleans;

namespace Polyjuice.Orleans;

/// <summary>
/// A message was not enqueued, because too much waits to be sent already
/// (<see cref="global::Orleans.Configuration.OutboxOptions.LaneBytes"/>). The transaction aborts with it.
/// </summary>
[GenerateSerializer, Alias("Polyjuice.OutboxFullException")]
public sealed class OutboxFullException : InvalidOperationException
{
    /// <summary>Creates it.</summary>
    /// <param name="message">The same for people.</param>
    internal OutboxFullException(string message) : base(message)
    {
    }
}
