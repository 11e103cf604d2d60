using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>L1: how a new owner fences its log. On its engine's turn.</summary>
internal sealed class Fencing(
    OwnerParts shared, Ownership ownership, IPartitionLog log, LogHealth health, LogRetry retry, LateFence late,
    TimestampCeiling ceiling)
{
    /// <summary>
    /// L1: the fence comes first, unless it may go with what is written first; only what is before it counts. L3
    /// applies to it as to any batch.
    /// </summary>
    /// <returns>Where it is, or would be.</returns>
    public async Task<long> FenceAsync(CancellationToken cancellationToken)
    {
        if (shared.Breaks == ProtocolBreaks.Fence)
        {
            late.Begin();
            return await log.GetEndAsync(cancellationToken) - 1;
        }

        var batch = new ByteWriter(shared.Names);
        LogRecords.WriteFence(batch, shared.Node);

        // A row is fenced because somebody wants it: the first who reads there need not wait for a ceiling.
        var ahead = shared.Options.CeilingAheadMicroseconds << HybridClock.LogicalBits;
        var promised = ownership.IsRow ? shared.Clock.Physical + ahead : 0;
        if (ownership.IsRow) LogRecords.WriteCeiling(batch, promised);
        while (true)
        {
            var position = await retry.RunAsync(token => log.GetEndAsync(token), cancellationToken);
            if (ownership.IsRow && ((IRowLog)log).IsSettled) return position;
            var batchId = shared.Logs.NextBatchId();
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested();
                try
                {
                    var result = await log.AppendAsync(position, batchId, batch.WrittenMemory, cancellationToken);
                    if (result != AppendResult.Appended) break;
                    ceiling.Begin(promised);
                    late.Begin();
                    if (ownership.IsRow) shared.Rows.Fenced(ownership.Partition, position + 1);
                    health.Answered();
                    return position;
                }
                catch (Exception exception)
                    when (!cancellationToken.IsCancellationRequested && exception is not LogUnusableException)
                {
                    health.Failed(exception, position);
                    await retry.PauseAsync(cancellationToken);
                }
            }
        }
    }
}
