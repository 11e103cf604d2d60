using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

/// <summary>Logs in this process's memory. They outlive the silos in it, and nothing else. Thread-safe.</summary>
internal sealed class MemoryLogStore : ILogStore
{
    private readonly MemoryLog[] _logs;

    /// <summary>Creates empty logs.</summary>
    /// <param name="partitions">1 to 65,536.</param>
    /// <param name="takesCheckpoints">
    /// Whether they are trimmed behind checkpoints, so that they do not grow for ever.
    /// </param>
    public MemoryLogStore(int partitions, bool takesCheckpoints = false)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(partitions, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(partitions, 65_536);
        _logs = new MemoryLog[partitions];
        for (var i = 0; i < partitions; i++) _logs[i] = new MemoryLog(takesCheckpoints);
    }

    private MemoryLogStore(MemoryLog[] logs) => _logs = logs;

    /// <inheritdoc/>
    public int PartitionCount => _logs.Length;

    /// <inheritdoc/>
    public IPartitionLog Open(int partition) => _logs[partition];

    /// <summary>
    /// The logs as they are now, to go on from on their own: what is appended to one is not in the other. Costs no more
    /// than a list of the batches. Each partition is copied at one moment; for one moment of all, nobody may append
    /// meanwhile.
    /// </summary>
    public MemoryLogStore Copy() => new(Array.ConvertAll(_logs, static log => log.Copy()));

    private sealed class MemoryLog(bool takesCheckpoints) : IPartitionLog
    {
        // Batches lie next to each other in large blocks: an array for
        // each would be copied by two generations of garbage collection.
        private const int BlockBytes = 1 << 20;

        private readonly Lock _gate = new();
        private readonly List<(BatchId Id, ReadOnlyMemory<byte> Bytes)> _batches = [];
        private Memory<byte> _free;
        private long _first;
        private (long Position, List<byte[]> Pieces)? _checkpoint;

        public bool TakesCheckpoints => takesCheckpoints;

        private long End => _first + _batches.Count;

        public MemoryLog Copy()
        {
            lock (_gate)
            {
                // Batches and pieces never change once they are there, so both may have them.
                var copy = new MemoryLog(takesCheckpoints) { _first = _first, _checkpoint = _checkpoint };
                copy._batches.AddRange(_batches);
                return copy;
            }
        }

        public ValueTask<AppendResult> AppendAsync(
            long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            lock (_gate)
            {
                if (position < End)
                    return new(position >= _first && _batches[(int)(position - _first)].Id == batchId
                        ? AppendResult.Appended
                        : AppendResult.Conflict);
                if (position > End) return new(AppendResult.Conflict);
                if (_free.Length < batch.Length)
                    _free = GC.AllocateUninitializedArray<byte>(Math.Max(BlockBytes, batch.Length), pinned: true);
                batch.CopyTo(_free);
                _batches.Add((batchId, _free[..batch.Length]));
                _free = _free[batch.Length..];
                return new(AppendResult.Appended);
            }
        }

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken)
        {
            lock (_gate) return new(End);
        }

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            for (var position = from; position < to; position++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                ReadOnlyMemory<byte> bytes;
                lock (_gate)
                {
                    if (position >= End)
                        throw new InvalidOperationException($"The log ends before position {position}.");
                    if (position < _first) throw new LogTrimmedException(position, _first);
                    bytes = _batches[(int)(position - _first)].Bytes;
                }

                yield return bytes;
            }

            await ValueTask.CompletedTask;
        }

        public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken)
        {
            lock (_gate)
            {
                return new(_checkpoint is var (position, pieces)
                    ? new LogCheckpoint(position, pieces.Sum(piece => (long)piece.Length), PiecesOf(pieces))
                    : null);
            }
        }

        public async ValueTask WriteCheckpointAsync(
            long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken)
        {
            if (!takesCheckpoints) throw new NotSupportedException("These logs take no checkpoints.");
            var pieces = new List<byte[]>();
            await foreach (var piece in content.WithCancellation(cancellationToken)) pieces.Add(piece.ToArray());
            lock (_gate)
            {
                if (!(_checkpoint?.Position >= position)) _checkpoint = (position, pieces);
            }
        }

        public ValueTask<long> TrimAsync(CancellationToken cancellationToken)
        {
            lock (_gate)
            {
                if (_checkpoint is var (position, _) && position > _first)
                {
                    _batches.RemoveRange(0, (int)(position - _first));
                    _first = position;
                }

                return new(_first);
            }
        }

        private static async IAsyncEnumerable<ReadOnlyMemory<byte>> PiecesOf(List<byte[]> pieces)
        {
            foreach (var piece in pieces) yield return piece;
            await ValueTask.CompletedTask;
        }
    }
}
