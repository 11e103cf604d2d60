using Polyjuice.Storage;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Logs in memory whose appends take as long as the provider's stores. All silos of a cluster share them.</summary>
internal sealed class SlowLogs(MemoryLogStore store, StorageDelay delay) : ILogStoreProvider, ILogStore
{
    /// <inheritdoc/>
    public int PartitionCount => store.PartitionCount;

    /// <inheritdoc/>
    public Task<ILogStore> OpenAsync(CancellationToken cancellationToken) => Task.FromResult<ILogStore>(this);

    /// <inheritdoc/>
    public IPartitionLog Open(int partition) => new SlowLog(store.Open(partition), delay);

    private sealed class SlowLog(IPartitionLog log, StorageDelay delay) : IPartitionLog
    {
        public bool TakesCheckpoints => log.TakesCheckpoints;

        // The memory is the log's until the append has ended, so waiting first is as good as waiting afterwards.
        public async ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            await delay.WaitAsync(cancellationToken).ConfigureAwait(false);
            return await log.AppendAsync(position, batchId, batch, cancellationToken).ConfigureAwait(false);
        }

        public async ValueTask<long> GetEndAsync(CancellationToken cancellationToken)
        {
            await delay.WaitAsync(cancellationToken).ConfigureAwait(false);
            return await log.GetEndAsync(cancellationToken).ConfigureAwait(false);
        }

        public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, CancellationToken cancellationToken) => log.ReadAsync(from, to, cancellationToken);

        public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) => log.GetCheckpointAsync(cancellationToken);

        public ValueTask WriteCheckpointAsync(long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken) =>
            log.WriteCheckpointAsync(position, content, cancellationToken);

        public ValueTask<long> TrimAsync(CancellationToken cancellationToken) => log.TrimAsync(cancellationToken);
    }
}
