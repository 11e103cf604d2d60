using Orleans;
using Orleans.Runtime;
using Polyjuice.Orleans;
using Polyjuice.Storage;

namespace Polyjuice.Testing;

/// <summary>What of one silo the cluster holds in its hands.</summary>
/// <param name="Number">Its number among those that have been started.</param>
/// <param name="Node">Its place on the network.</param>
/// <param name="Log">What goes wrong with its logs.</param>
/// <param name="Store">The logs that all silos share.</param>
internal sealed record SiloParts(int Number, NetworkNode Node, LogFaults Log, ILogStore Store)
    : IMemoryLogProvider, ILifecycleParticipant<ISiloLifecycle>
{
    private volatile ILifecycleObserver? _lifecycle;

    /// <summary>The logs as this silo sees them.</summary>
    public Task<ILogStore> OpenAsync(CancellationToken cancellationToken) =>
        Task.FromResult<ILogStore>(new FaultyLogStore(Store, Log));

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle) => _lifecycle = (ILifecycleObserver)lifecycle;

    /// <summary>
    /// Ends a silo whose start has failed. Orleans' host does not: it would stay in the membership table as joining,
    /// and a silo that stops in good order waits 30 seconds for it; and its grain directory would ask for members for
    /// ever, a million times in a second.
    /// </summary>
    public Task EndAsync() => _lifecycle?.OnStop(new CancellationToken(canceled: true)) ?? Task.CompletedTask;
}
