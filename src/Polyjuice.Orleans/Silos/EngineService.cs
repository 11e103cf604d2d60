using Microsoft.Extensions.Logging;
using Orleans.Concurrency;
using Orleans.Runtime;
using Polyjuice.Agents;

namespace Polyjuice.Orleans.Silos;

/// <inheritdoc cref="IEngineService"/>
internal sealed class EngineService(
    GrainId grainId, global::Orleans.Runtime.Silo silo, ILoggerFactory loggers, SiloEngine engine)
    : GrainService(grainId, silo, loggers), IEngineService
{
    /// <inheritdoc/>
    public Task Deliver(long source, Immutable<byte[]> batch)
    {
        engine.Mail.Receive(new(source), batch.Value);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<byte[]?> FindReport(long node, long sequence, long caller, long call) =>
        Task.FromResult(engine.Reports.Find(new(new(node), sequence), new(caller), call));

    /// <inheritdoc/>
    public Task<TurnAnswer> AwaitTurn(
        GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, Immutable<byte[]> wait) =>
        Task.FromResult(engine.GrainTurns.Await(grain, key, isReadOnly, mayBeLetIn, wait.Value));

    /// <inheritdoc/>
    public Task Notice(long membershipVersion) => engine.Membership.NoteAsync(membershipVersion);

    /// <inheritdoc/>
    public Task<LogPlace> FindLogs() => Task.FromResult(engine.Logs.Place);
}
