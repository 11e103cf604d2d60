using Polyjuice.Storage;

namespace Polyjuice.Benchmarking.Clusters;

/// <summary>Gives all silos of this process the same logs, which belong to the cluster and not to the silo that stops first.</summary>
internal sealed class SharedLogs(ILogStore logs) : ILogStoreProvider
{
    /// <inheritdoc/>
    public Task<ILogStore> OpenAsync(CancellationToken cancellationToken) => Task.FromResult<ILogStore>(new Share(logs));

    // Without IDisposable, on purpose.
    private sealed class Share(ILogStore logs) : ILogStore
    {
        public int PartitionCount => logs.PartitionCount;

        public long Generation => logs.Generation;

        public IPartitionLog Open(int partition) => logs.Open(partition);
    }
}
