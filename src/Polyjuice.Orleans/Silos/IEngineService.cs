using Orleans.Concurrency;
using Orleans.Runtime;
using Orleans.Services;
using Polyjuice.Agents;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Where a silo's engines take what the others' engines send: batches, one-way, each for one pair of engines.
/// </summary>
[Alias("Polyjuice.IEngineService")]
internal interface IEngineService : IGrainService
{
    /// <summary>Takes a batch for the first engine. It may be lost, or come late: engines cope.</summary>
    /// <param name="source">The sender's node.</param>
    /// <param name="batch">The engine's bytes.</param>
    [OneWay, AlwaysInterleave, Alias("Deliver")]
    Task Deliver(long source, Immutable<byte[]> batch);

    /// <summary>The same for any engine.</summary>
    /// <param name="destination">The engine's node.</param>
    /// <param name="source">The sender's node.</param>
    /// <param name="batch">The engine's bytes.</param>
    [OneWay, AlwaysInterleave, Alias("DeliverTo")]
    Task DeliverTo(long destination, long source, Immutable<byte[]> batch);

    /// <summary>The report of a call of the sender's that has been answered without it.</summary>
    /// <param name="node">Of the transaction's identity.</param>
    /// <param name="sequence">Of the transaction's identity.</param>
    /// <param name="caller">The sender's node.</param>
    /// <param name="call">The call's number there.</param>
    /// <returns>
    /// The engine's bytes; <see langword="null"/> if the call has not run here. From then on it does not.
    /// </returns>
    [AlwaysInterleave, Alias("FindReport")]
    Task<byte[]?> FindReport(long node, long sequence, long caller, long call);

    /// <summary>Asks about a call of the sender's that waits, maybe for the turn of a grain which is here.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="key">The call's key.</param>
    /// <param name="isReadOnly">Whether Orleans lets it in beside other such calls.</param>
    /// <param name="mayBeLetIn">Whether the grain may let it in by its key.</param>
    /// <param name="wait">The engine's bytes.</param>
    [AlwaysInterleave, Alias("AwaitTurn")]
    Task<TurnAnswer> AwaitTurn(GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, Immutable<byte[]> wait);

    /// <summary>The same, with the engine here that knows of the turn.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="key">The call's key.</param>
    /// <param name="isReadOnly">Whether Orleans lets it in beside other such calls.</param>
    /// <param name="mayBeLetIn">Whether the grain may let it in by its key.</param>
    /// <param name="wait">The engine's bytes.</param>
    [AlwaysInterleave, Alias("FindTurn")]
    Task<TurnFound> FindTurn(GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, Immutable<byte[]> wait);

    /// <summary>Says which membership the sender has seen, because somebody seems to have missed it.</summary>
    /// <param name="membershipVersion">Its version.</param>
    [OneWay, AlwaysInterleave, Alias("Notice")]
    Task Notice(long membershipVersion);

    /// <summary>Where the silo keeps its logs.</summary>
    [AlwaysInterleave, Alias("FindLogs")]
    Task<LogPlace> FindLogs();
}
