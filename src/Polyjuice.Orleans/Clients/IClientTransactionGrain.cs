using Orleans;
using Orleans.Concurrency;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Clients;

/// <summary>
/// One transaction that a client of the cluster runs: the client's code stays with the client, and this grain, on the
/// silo that the client is connected to, makes its calls within the transaction. One grain for each transaction.
/// </summary>
[Alias("Polyjuice.IClientTransactionGrain")]
internal interface IClientTransactionGrain : IGrainWithGuidKey
{
    /// <summary>Starts it.</summary>
    /// <param name="name">The transaction's type.</param>
    /// <param name="useExclusiveLock">Whether reads count as updates.</param>
    /// <param name="spent">
    /// For how long the client has tried on silos that have gone: the time is off the transaction's.
    /// </param>
    /// <returns>The first attempt's number.</returns>
    [Alias("Start")]
    Task<int> Start(string name, bool useExclusiveLock, TimeSpan spent);

    /// <summary>Makes a call within an attempt, and answers its result.</summary>
    /// <param name="attempt">The attempt.</param>
    /// <param name="number">
    /// Tells the call from all others of the attempt: Orleans may deliver it twice, and it runs once.
    /// </param>
    /// <param name="target">The grain.</param>
    /// <param name="request">The call.</param>
    [Alias("Invoke")]
    Task<object?> Invoke(int attempt, long number, GrainReference target, IInvokable request);

    /// <summary>The client's code has ended. Throws when the transaction has failed for good.</summary>
    /// <param name="attempt">The attempt.</param>
    /// <param name="commits">Whether it shall commit.</param>
    /// <param name="failure">What the code threw.</param>
    /// <param name="sent">Says whether it is a copy: then the transaction may have been ended by the first one.</param>
    /// <returns>The next attempt's number when the code must run again; 0 when the transaction is over.</returns>
    [Alias("End")]
    Task<int> End(int attempt, bool commits, Exception? failure, SentCall sent);
}
