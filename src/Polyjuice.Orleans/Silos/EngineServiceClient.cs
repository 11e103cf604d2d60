using System.Collections.Concurrent;
using Orleans.Runtime;
using Orleans.Runtime.Services;
using Polyjuice.Hosting;

namespace Polyjuice.Orleans.Silos;

/// <summary>Sends to the engines of other silos. Thread-safe.</summary>
internal sealed class EngineServiceClient(IServiceProvider services) : GrainServiceClient<IEngineService>(services), IEngineLink
{
    private readonly ConcurrentDictionary<SiloAddress, IEngineService> _services = new();

    /// <inheritdoc/>
    public void Send(SiloAddress destination, NodeId source, byte[] batch) =>
        _services.GetOrAdd(destination, static (silo, self) => self.GetGrainService(silo), this).Deliver(source.Value, new(batch)).Ignore();

    /// <summary>Tells a silo which membership this one has seen, one-way.</summary>
    public void Notice(SiloAddress destination, MembershipVersion version) =>
        _services.GetOrAdd(destination, static (silo, self) => self.GetGrainService(silo), this).Notice(version.Value).Ignore();

    /// <summary>Asks a silo where its logs are.</summary>
    public Task<LogPlace> FindLogsAsync(SiloAddress silo) => GetGrainService(silo).FindLogs();

    /// <summary>Forgets a silo that is dead.</summary>
    public void Forget(SiloAddress silo) => _services.TryRemove(silo, out _);
}
