using Polyjuice.Storage;

namespace Polyjuice.Training.Replay;

/// <summary>
/// Logs whose appends take virtual time. Nothing is kept: no silo of a replay dies, so nobody reads them.
/// </summary>
internal sealed class ReplayLogs(ReplayNode node, int partitions, long appendMicroseconds) : ILogStore
{
    public int PartitionCount => partitions;

    public IPartitionLog Open(int partition) => new Log(this);

    private sealed class Log(ReplayLogs logs) : IPartitionLog
    {
        private long _end;

        public ValueTask<AppendResult> AppendAsync(
            long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            if (position != _end)
                throw new ReplayFailedException(
                    $"A batch was to go to position {position} of a log that ends at {_end}.");
            _end++;
            return logs.AppendAsync();
        }

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => new(_end);

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to,
            [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
        {
            // A fence has no content that recovery needs, and there is nothing else when a silo starts.
            if (from < to)
                throw new ReplayFailedException(
                    $"A log was read from {from} to {to}; a replay starts with empty ones.");
            await ValueTask.CompletedTask;
            yield break;
        }
    }

    private ValueTask<AppendResult> AppendAsync()
    {
        node.ChargeAppend();

        // As logs in memory do. To gather what comes in the meantime would make appends fewer than they are there.
        if (appendMicroseconds == 0) return new(AppendResult.Appended);
        var done = new TaskCompletionSource<AppendResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        node.Later(
            appendMicroseconds,
            static state => ((TaskCompletionSource<AppendResult>)state!).SetResult(AppendResult.Appended),
            done);
        return new(done.Task);
    }
}
