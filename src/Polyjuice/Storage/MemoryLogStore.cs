namespace Polyjuice.Storage;

/// <summary>Logs in this process's memory. They outlive the silos in it, and nothing else. Thread-safe.</summary>
public sealed class MemoryLogStore : ILogStore
{
    private readonly MemoryLog[] _logs;

    /// <summary>Creates empty logs.</summary>
    /// <param name="partitions">1 to 65,536.</param>
    public MemoryLogStore(int partitions)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(partitions, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(partitions, 65_536);
        _logs = new MemoryLog[partitions];
        for (var i = 0; i < partitions; i++) _logs[i] = new MemoryLog();
    }

    /// <inheritdoc/>
    public int PartitionCount => _logs.Length;

    /// <inheritdoc/>
    public IPartitionLog Open(int partition) => _logs[partition];

    private sealed class MemoryLog : IPartitionLog
    {
        // Batches lie next to each other in large blocks: an array for each would be copied by two generations of garbage collection.
        private const int BlockBytes = 1 << 20;

        private readonly Lock _gate = new();
        private readonly List<(BatchId Id, ReadOnlyMemory<byte> Bytes)> _batches = [];
        private Memory<byte> _free;

        public ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            lock (_gate)
            {
                if (position < _batches.Count)
                    return new(_batches[(int)position].Id == batchId ? AppendResult.Appended : AppendResult.Conflict);
                if (position > _batches.Count) return new(AppendResult.Conflict);
                if (_free.Length < batch.Length) _free = GC.AllocateUninitializedArray<byte>(Math.Max(BlockBytes, batch.Length), pinned: true);
                batch.CopyTo(_free);
                _batches.Add((batchId, _free[..batch.Length]));
                _free = _free[batch.Length..];
                return new(AppendResult.Appended);
            }
        }

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken)
        {
            lock (_gate) return new(_batches.Count);
        }

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
        {
            for (var position = from; position < to; position++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                ReadOnlyMemory<byte> bytes;
                lock (_gate)
                {
                    if (position >= _batches.Count) throw new InvalidOperationException($"The log ends before position {position}.");
                    bytes = _batches[(int)position].Bytes;
                }

                yield return bytes;
            }

            await ValueTask.CompletedTask;
        }
    }
}
