namespace Polyjuice.Storage;

/// <summary>The logs of all partitions. Shared by every node; outlives each of them. Thread-safe.</summary>
public interface ILogStore
{
    /// <summary>Number of partitions, fixed when the store was created; at least 1.</summary>
    int PartitionCount { get; }

    /// <summary>The log of one partition.</summary>
    /// <param name="partition">0 to <see cref="PartitionCount"/> − 1.</param>
    IPartitionLog Open(int partition);
}

/// <summary>
/// One partition's log: batches at consecutive positions from 0. The append position is the fence (rule L1): who appends at
/// a position that is taken has been deposed, or has raced.
/// </summary>
public interface IPartitionLog
{
    /// <summary>
    /// Appends a batch if the log ends at exactly <paramref name="position"/>.
    /// <see cref="AppendResult.Appended"/>: durable. <see cref="AppendResult.Conflict"/>: nothing was written and
    /// nothing ever will be. <em>When it throws</em>, the batch may be there, may not, or may still turn up: the caller
    /// must append the same batch (same <paramref name="batchId"/>) at the same position until it gets an answer (rule L3).
    /// A repeated append of the batch that is already there answers <see cref="AppendResult.Appended"/>.
    /// </summary>
    /// <param name="position">Where the batch must go.</param>
    /// <param name="batchId">Unique per batch ever made; tells a repetition from a rival.</param>
    /// <param name="batch">The bytes; unchanged until the task has completed.</param>
    /// <param name="cancellationToken">Abandons the call; the effect is then unknown.</param>
    ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken);

    /// <summary>The number of batches now, which is where the next append would go.</summary>
    ValueTask<long> GetEndAsync(CancellationToken cancellationToken);

    /// <summary>Reads batches <paramref name="from"/> … <paramref name="to"/> − 1 in order. Throws when one is missing or damaged.</summary>
    IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, CancellationToken cancellationToken);
}

/// <summary>Identity of a batch: who made it, and its number there.</summary>
/// <param name="Node">The node that made it.</param>
/// <param name="Sequence">Its number at that node.</param>
public readonly record struct BatchId(long Node, long Sequence);

/// <summary>What became of an append.</summary>
public enum AppendResult
{
    /// <summary>The batch is durable at its position.</summary>
    Appended,

    /// <summary>Another batch is at that position, or the log does not reach it: the appender is not the owner.</summary>
    Conflict,
}
