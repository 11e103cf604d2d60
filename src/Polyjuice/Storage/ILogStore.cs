namespace Polyjuice.Storage;

/// <summary>The logs of all partitions. Shared by every node; outlives each of them. Thread-safe.</summary>
internal interface ILogStore
{
    /// <summary>Number of partitions, fixed when the store was created; at least 1.</summary>
    int PartitionCount { get; }

    /// <summary>
    /// What tells this store from every other one: the same wherever it is open at a time. One that a process has alone
    /// differs from what any other process has, a copy of its files included. Hosts refuse to run one cluster on two
    /// stores. Empty when the store does not know.
    /// </summary>
    string Identity => "";

    /// <summary>The log of one partition.</summary>
    /// <param name="partition">0 to <see cref="PartitionCount"/> − 1.</param>
    IPartitionLog Open(int partition);
}

/// <summary>
/// One partition's log: batches at consecutive positions from 0. The append position is the fence (rule L1): who
/// appends at a position that is taken has been deposed, or has raced. Thread-safe.
/// </summary>
internal interface IPartitionLog
{
    /// <summary>
    /// Where the log is, for messages: a folder, an address without secrets; empty if that would help nobody.
    /// </summary>
    string Location => "";

    /// <summary>
    /// Appends a batch if the log ends at exactly <paramref name="position"/>.
    /// <see cref="AppendResult.Appended"/>: durable. <see cref="AppendResult.Conflict"/>: nothing was written and
    /// nothing ever will be. <em>When it throws</em>, the batch may be there, may not, or may still turn up: the caller
    /// must append the same batch (same <paramref name="batchId"/>) at the same position until it gets an answer (rule
    /// L3). A repeated append of the batch that is already there answers <see cref="AppendResult.Appended"/>.
    /// </summary>
    /// <param name="position">Where the batch must go.</param>
    /// <param name="batchId">Unique per batch ever made; tells a repetition from a rival.</param>
    /// <param name="batch">The bytes; unchanged until the task has completed.</param>
    /// <param name="cancellationToken">Abandons the call; the effect is then unknown.</param>
    ValueTask<AppendResult> AppendAsync(
        long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken);

    /// <summary>
    /// How many appends its owner may have under way, the one being made included; at least 1. More than that keep a
    /// log busy that works elsewhere than its owner: it goes on with the next one without having to wait until its
    /// owner has heard of the last and hands over another. If it is more than 1, <see cref="AppendBehindAsync"/> is
    /// there.
    /// </summary>
    int AppendsUnderWayMax => 1;

    /// <summary>
    /// Appends a batch behind another whose append is still under way: as <see cref="AppendAsync"/>, but only if the
    /// batch right before it is that one. The position alone would not do: if the other one fails, a rival's fence may
    /// take its place, and this batch would come to be behind it (rule L1). So <see cref="AppendResult.Conflict"/> also
    /// means that another batch is before it, and nothing was or will be written. It throws, too, when nothing is there
    /// yet: the caller then appends the other one again, and this one only after that.
    /// </summary>
    /// <param name="behind">
    /// The batch that must be at <paramref name="position"/> − 1. Its append was asked for before, by the same caller.
    /// </param>
    /// <param name="position">Where the batch must go.</param>
    /// <param name="batchId">Unique per batch ever made; tells a repetition from a rival.</param>
    /// <param name="batch">The bytes; unchanged until the task has completed.</param>
    /// <param name="cancellationToken">Abandons the call; the effect is then unknown.</param>
    ValueTask<AppendResult> AppendBehindAsync(
        BatchId behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
        CancellationToken cancellationToken) =>
        throw new NotSupportedException("This log takes one append at a time.");

    /// <summary>The number of batches now, which is where the next append would go.</summary>
    ValueTask<long> GetEndAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Reads batches <paramref name="from"/> … <paramref name="to"/> − 1 in order. Each is valid until the next is
    /// asked for. May be called, and awaited, on any thread; runs on the caller's.
    /// </summary>
    /// <param name="from">The first batch's position; 0 or more.</param>
    /// <param name="to">One more than the last batch's position.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="LogTrimmedException">
    /// <paramref name="from"/> has been trimmed, maybe while this ran: read the checkpoint again.
    /// </exception>
    /// <exception cref="LogUnusableException">One is damaged, or of a newer version.</exception>
    /// <exception cref="InvalidOperationException">The log ends before <paramref name="to"/>.</exception>
    IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, CancellationToken cancellationToken);

    /// <summary>
    /// Whether the log takes checkpoints, and is trimmed. If not, it is read from its start at every recovery.
    /// </summary>
    bool TakesCheckpoints => false;

    /// <summary>The checkpoint with the highest position, or <see langword="null"/> when there is none.</summary>
    ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) => new((LogCheckpoint?)null);

    /// <summary>
    /// Keeps a checkpoint, unless there is one with this position or a higher one: what follows from batches 0 …
    /// <paramref name="position"/> − 1, and from nothing else, so that anybody's is as good as the owner's, a deposed
    /// one's included. When this returns, it is durable and whole. When it throws, or a crash comes between, it is
    /// there whole or not at all. Lower checkpoints may go away, but never before a higher one is there.
    /// </summary>
    /// <param name="position">At most the log's end.</param>
    /// <param name="content">
    /// Its bytes in pieces of at most 64 MiB, each valid until the next is asked for. They are kept apart.
    /// </param>
    /// <param name="cancellationToken">Gives up.</param>
    ValueTask WriteCheckpointAsync(
        long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken) =>
        throw new NotSupportedException("This log takes no checkpoints.");

    /// <summary>
    /// Forgets batches for which the highest checkpoint stands, as far as that is
    /// easily done; never others. Returns the first position that is still there.
    /// </summary>
    ValueTask<long> TrimAsync(CancellationToken cancellationToken) => new(0L);
}

/// <summary>A checkpoint that is being read.</summary>
/// <param name="Position">It stands for all batches below this.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Content">
/// The pieces that were written, each valid until the next is asked for; to be read once. Throws
/// <see cref="LogDamagedException"/> when they are not those, and <see cref="LogTrimmedException"/> when a higher one
/// has taken its place meanwhile.
/// </param>
internal sealed record LogCheckpoint(long Position, long Length, IAsyncEnumerable<ReadOnlyMemory<byte>> Content);

/// <summary>Identity of a batch: who made it, and its number there.</summary>
/// <param name="Node">The node that made it.</param>
/// <param name="Sequence">Its number at that node.</param>
internal readonly record struct BatchId(long Node, long Sequence);

/// <summary>What became of an append.</summary>
internal enum AppendResult
{
    /// <summary>The batch is durable at its position.</summary>
    Appended,

    /// <summary>
    /// Another batch is at that position, or the log does not reach it: the appender is not the owner.
    /// </summary>
    Conflict,
}
