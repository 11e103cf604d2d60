using Orleans.Runtime;
using Orleans.Transactions;

namespace Polyjuice.Orleans;

/// <summary>
/// Messages that their sender has not taken in as many attempts as it has (<see
/// cref="global::Orleans.Configuration.OutboxOptions.AttemptsMax"/>). They are kept until somebody decides. A service
/// of every silo, for all of the cluster. Thread-safe.
/// </summary>
public interface IOutboxParking
{
    /// <summary>
    /// All of them, in no order. Looks through the whole outbox, one transaction for each lane: for people, and not for
    /// each request.
    /// </summary>
    /// <exception cref="OrleansTransactionException">
    /// A lane can't be read at present; the same call may succeed later.
    /// </exception>
    Task<IReadOnlyList<ParkedMessage>> ListAsync();

    /// <summary>Has one sent again, behind what its grain has enqueued meanwhile.</summary>
    /// <param name="id">Its id, which it keeps.</param>
    /// <returns>Whether it was there.</returns>
    /// <exception cref="ArgumentException">It is not the id of an outbox's message.</exception>
    /// <exception cref="OrleansTransactionException">It stays parked, unless that is in doubt.</exception>
    Task<bool> SendAgainAsync(string id);

    /// <summary>Forgets one: it is never sent.</summary>
    /// <param name="id">Its id.</param>
    /// <returns>Whether it was there.</returns>
    /// <exception cref="ArgumentException">It is not the id of an outbox's message.</exception>
    /// <exception cref="OrleansTransactionException">It stays parked, unless that is in doubt.</exception>
    Task<bool> DropAsync(string id);
}

/// <summary>A message that is parked. Immutable.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Source">The grain whose code has enqueued it.</param>
/// <param name="Sender">The sender that has not taken it.</param>
/// <param name="ContentBytes">The size of its content as it is stored, in bytes.</param>
/// <param name="EnqueuedAt">When the transaction had begun that has enqueued it.</param>
public sealed record ParkedMessage(
    string Id, GrainId Source, string Sender, int ContentBytes, DateTimeOffset EnqueuedAt);
