using Polyjuice.Storage;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// Says that everything is durable, and keeps nothing: what a log keeps is not the engine's allocation.
/// </summary>
/// <param name="partitions">How many logs.</param>
internal sealed class DiscardingLogStore(int partitions = 1) : ILogStore
{
    private readonly Log[] _logs = [.. Enumerable.Range(0, partitions).Select(_ => new Log())];

    public int PartitionCount => partitions;

    public IPartitionLog Open(int partition) => _logs[partition];

    private sealed class Log : IPartitionLog
    {
        private long _end;

        public ValueTask<AppendResult> AppendAsync(
            long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            _end = position + 1;
            return new(AppendResult.Appended);
        }

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => new(_end);

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to,
            [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
        {
            if (to > from) throw new InvalidOperationException("This log keeps nothing.");
            await ValueTask.CompletedTask;
            yield break;
        }
    }
}
