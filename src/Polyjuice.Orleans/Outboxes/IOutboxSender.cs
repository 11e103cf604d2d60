using Orleans.Runtime;

namespace Polyjuice.Orleans;

/// <summary>
/// Takes the messages of a transactional outbox to where they are to go. Called on several threads at once.
/// </summary>
public interface IOutboxSender
{
    /// <summary>
    /// Sends a message. When it completes, the message counts as taken. It may be called again for a message that it
    /// has taken, when a silo dies in between: the message's id tells the receiver.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="cancellationToken">
    /// Its time is up (<see cref="global::Orleans.Configuration.OutboxOptions.SendTimeout"/>), or the silo stops.
    /// </param>
    /// <exception cref="Exception">It was not taken. It is sent again after a pause.</exception>
    Task SendAsync(OutboxMessage message, CancellationToken cancellationToken);
}

/// <summary>A message as its sender gets it. Immutable.</summary>
/// <param name="Id">
/// Its name: the same each time that it is sent, and no other message's. At most 64 characters of ASCII, so that it
/// can be an <see cref="IdempotencyKey"/>, or the value of a header.
/// </param>
/// <param name="Source">The grain whose code has enqueued it.</param>
/// <param name="Sender">The sender's name.</param>
/// <param name="Content">What was enqueued.</param>
/// <param name="EnqueuedAt">When the transaction had begun that has enqueued it.</param>
/// <param name="Attempt">How often this silo has tried to send it, this time included; from 1.</param>
public sealed record OutboxMessage(
    string Id, GrainId Source, string Sender, object Content, DateTimeOffset EnqueuedAt, int Attempt);
