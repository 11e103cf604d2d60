using Microsoft.Extensions.Hosting;
using Polyjuice.Orleans;

namespace SiloHosting.Health;

/// <summary>
/// Whether the application takes requests: after the silo's start, and until it is told to stop. A log that can't be
/// written is no reason not to: the transactions that need it are refused one by one. Nor are partitions that come from
/// a silo that has left: calls that need them wait until they are there. Thread-safe; calls no grain.
/// </summary>
internal sealed class WorkGate(IPolyjuiceSilo silo, IHostApplicationLifetime lifetime)
{
    /// <summary>Whether it does now.</summary>
    public bool IsOpen => lifetime.ApplicationStarted.IsCancellationRequested
        && !lifetime.ApplicationStopping.IsCancellationRequested
        && (silo.Readiness with { Unwritable = 0 }) is { IsReady: true } or { IsTakingOver: true };
}
