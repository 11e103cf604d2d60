using Microsoft.Extensions.Logging;
using Orleans.Concurrency;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <inheritdoc cref="IEngineService"/>
internal sealed class EngineService(GrainId grainId, global::Orleans.Runtime.Silo silo, ILoggerFactory loggers, SiloEngine engine) : GrainService(grainId, silo, loggers), IEngineService
{
    /// <inheritdoc/>
    public Task Deliver(long source, Immutable<byte[]> batch)
    {
        engine.Receive(new(source), batch.Value);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task Notice(long membershipVersion) => engine.NoteMembershipAsync(membershipVersion);

    /// <inheritdoc/>
    public Task<LogPlace> FindLogs() => Task.FromResult(engine.Logs);
}
