using System.Collections.Concurrent;
using Orleans.Runtime;
using Orleans.Runtime.Services;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>Sends to the engines of other silos. Thread-safe.</summary>
internal sealed class EngineServiceClient(
    IServiceProvider services) : GrainServiceClient<IEngineService>(services), IEngineLink
{
    private readonly ConcurrentDictionary<SiloAddress, IEngineService> _services = new();

    /// <inheritdoc/>
    public void Send(SiloAddress silo, NodeId destination, NodeId source, byte[] batch)
    {
        var service = ServiceOf(silo);

        // The first engine's as silos have always sent it, which those of an earlier version understand.
        (destination == NodeIds.Of(silo)
            ? service.Deliver(source.Value, new(batch))
            : service.DeliverTo(destination.Value, source.Value, new(batch))).Ignore();
    }

    /// <summary>Tells a silo which membership this one has seen, one-way.</summary>
    public void Notice(SiloAddress destination, MembershipVersion version) =>
        ServiceOf(destination).Notice(version.Value).Ignore();

    /// <summary>Asks a silo for the report of a call that was made by this one.</summary>
    public Task<byte[]?> FindReportAsync(SiloAddress silo, TransactionId transaction, NodeId caller, long call) =>
        ServiceOf(silo).FindReport(transaction.Node.Value, transaction.Sequence, caller.Value, call);

    /// <summary>Asks a silo about a call that waits, maybe for the turn of a grain there.</summary>
    /// <param name="silo">The silo.</param>
    /// <param name="engines">How many engines it has, as far as is known.</param>
    /// <param name="call">The call.</param>
    /// <param name="wait">The engine's bytes.</param>
    public async Task<TurnFound> AwaitTurnAsync(SiloAddress silo, int engines, QueuedCall call, byte[] wait)
    {
        var service = ServiceOf(silo);

        // One of an earlier version has one engine, and knows no other question.
        return engines == 1
            ? new(
                await service.AwaitTurn(call.Target, call.Key, call.IsReadOnly, call.MayBeLetIn, new(wait)),
                NodeIds.Of(silo).Value)
            : await service.FindTurn(call.Target, call.Key, call.IsReadOnly, call.MayBeLetIn, new(wait));
    }

    /// <summary>Asks a silo where its logs are.</summary>
    public Task<LogPlace> FindLogsAsync(SiloAddress silo) => GetGrainService(silo).FindLogs();

    /// <summary>Forgets a silo that is dead.</summary>
    public void Forget(SiloAddress silo) => _services.TryRemove(silo, out _);

    private IEngineService ServiceOf(SiloAddress silo) =>
        _services.GetOrAdd(silo, static (place, self) => self.GetGrainService(place), this);
}
