using Polyjuice.Storage;

namespace Polyjuice.Testing;

/// <summary>What of one silo the cluster holds in its hands.</summary>
/// <param name="Number">Its number among those that have been started.</param>
/// <param name="Node">Its place on the network.</param>
/// <param name="Log">What goes wrong with its logs.</param>
/// <param name="Store">The logs that all silos share.</param>
internal sealed record SiloParts(int Number, NetworkNode Node, LogFaults Log, ILogStore Store) : ILogStoreProvider
{
    /// <summary>The logs as this silo sees them.</summary>
    public Task<ILogStore> OpenAsync(CancellationToken cancellationToken) => Task.FromResult<ILogStore>(new FaultyLogStore(Store, Log));
}
