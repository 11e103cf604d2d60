using Orleans.Concurrency;
using Orleans.Services;

namespace Polyjuice.Orleans.Silos;

/// <summary>Where a silo's engine takes what the others' engines send: batches, one-way, each for one pair of silos.</summary>
[Alias("Polyjuice.IEngineService")]
internal interface IEngineService : IGrainService
{
    /// <summary>Takes a batch. It may be lost, or come late: engines cope.</summary>
    /// <param name="source">The sender's node.</param>
    /// <param name="batch">The engine's bytes.</param>
    [OneWay, AlwaysInterleave, Alias("Deliver")]
    Task Deliver(long source, Immutable<byte[]> batch);

    /// <summary>Says which membership the sender has seen, because somebody seems to have missed it.</summary>
    /// <param name="membershipVersion">Its version.</param>
    [OneWay, AlwaysInterleave, Alias("Notice")]
    Task Notice(long membershipVersion);

    /// <summary>Where the silo keeps its logs.</summary>
    [AlwaysInterleave, Alias("FindLogs")]
    Task<LogPlace> FindLogs();
}
