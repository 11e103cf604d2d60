using Microsoft.Extensions.Logging;
using Orleans.Concurrency;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <inheritdoc cref="IEngineService"/>
internal sealed class EngineService(
    GrainId grainId, global::Orleans.Runtime.Silo silo, ILoggerFactory loggers, PolyjuiceSilo engines)
    : GrainService(grainId, silo, loggers), IEngineService
{
    /// <inheritdoc/>
    public Task Deliver(long source, Immutable<byte[]> batch) => DeliverTo(engines.Self.Node.Value, source, batch);

    /// <inheritdoc/>
    public Task DeliverTo(long destination, long source, Immutable<byte[]> batch)
    {
        engines.Mail.Deliver(new(destination), new(source), batch.Value);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<byte[]?> FindReport(long node, long sequence, long caller, long call) =>
        Task.FromResult(engines.Reports.FindHere(new(new(node), sequence), new(caller), call));

    /// <inheritdoc/>
    public Task<TurnAnswer> AwaitTurn(
        GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, Immutable<byte[]> wait) =>
        Task.FromResult(Find(grain, key, isReadOnly, mayBeLetIn, wait.Value).Answer);

    /// <inheritdoc/>
    public Task<TurnFound> FindTurn(
        GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, Immutable<byte[]> wait) =>
        Task.FromResult(Find(grain, key, isReadOnly, mayBeLetIn, wait.Value));

    /// <inheritdoc/>
    public Task Notice(long membershipVersion) => engines.Membership.NoteAsync(membershipVersion);

    /// <inheritdoc/>
    public Task<LogPlace> FindLogs() => Task.FromResult(engines.Logs.Place);

    private TurnFound Find(GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, byte[] wait)
    {
        foreach (var engine in engines.Engines)
        {
            if (engine.GrainTurns.Await(grain, key, isReadOnly, mayBeLetIn, wait) is not TurnAnswer.None and var answer)
                return new(answer, engine.Node.Value);
        }

        return default;
    }
}
