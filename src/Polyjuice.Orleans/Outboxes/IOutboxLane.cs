using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// A lane of the outbox: messages of some grains of one log partition, each grain's in the order of their commits.
/// Messages are added and taken out in transactions; in between the lane's activation hands them to senders.
/// </summary>
[Alias("Polyjuice.IOutboxLane")]
internal interface IOutboxLane : IGrainWithStringKey
{
    /// <summary>Adds a message to the caller's transaction.</summary>
    /// <param name="entry">It.</param>
    [Transaction(TransactionOption.Join), Alias("Enqueue")]
    Task Enqueue(OutboxEntry entry);

    /// <summary>What has committed and is to be sent.</summary>
    [Transaction(TransactionOption.Create), ReadOnly, Alias("Read")]
    Task<OutboxEntry[]> Read();

    /// <summary>These were sent.</summary>
    /// <param name="numbers">Theirs.</param>
    [Transaction(TransactionOption.Create), Alias("Settle")]
    Task Settle(long[] numbers);

    /// <summary>One is not sent for now.</summary>
    /// <param name="number">Its number.</param>
    /// <returns>Whether there is room among those that are parked.</returns>
    [Transaction(TransactionOption.Create), Alias("Park")]
    Task<bool> Park(long number);

    /// <summary>Those that are parked.</summary>
    [Transaction(TransactionOption.Create), ReadOnly, Alias("ReadParked")]
    Task<OutboxEntry[]> ReadParked();

    /// <summary>Takes one out that is parked.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="sendsAgain">Whether it is to be sent.</param>
    /// <returns>Whether it was there.</returns>
    [Transaction(TransactionOption.Create), Alias("Unpark")]
    Task<bool> Unpark(long number, bool sendsAgain);

    /// <summary>Has the lane's activation send what is to be sent.</summary>
    /// <returns>What it has in hand.</returns>
    [AlwaysInterleave, Alias("WakeAndTell")]
    Task<LaneReport> Wake();
}
