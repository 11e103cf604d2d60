using System.Runtime.CompilerServices;
using Polyjuice.Storage;

namespace Polyjuice.Testing;

/// <summary>
/// Logs with faults around others: one silo's view of logs that several share. What it does keeps to the contract of
/// <see cref="IPartitionLog"/>, so an engine must come through all of it. Disposing of the logs is left to whoever has
/// made them. Thread-safe.
/// </summary>
/// <param name="inner">The logs.</param>
/// <param name="faults">What goes wrong.</param>
internal sealed class FaultyLogStore(ILogStore inner, LogFaults faults) : ILogStore
{
    /// <inheritdoc/>
    public int PartitionCount => inner.PartitionCount;

    /// <inheritdoc/>
    public string Identity => inner.Identity;

    /// <summary>What goes wrong.</summary>
    public LogFaults Faults => faults;

    /// <inheritdoc/>
    public IPartitionLog Open(int partition) => new FaultyLog(inner.Open(partition), faults);
}

/// <summary>One log with faults.</summary>
internal sealed class FaultyLog(IPartitionLog inner, LogFaults faults) : IPartitionLog
{
    // First come, first asked: an append behind another must not come to be asked for before that one.
    private readonly SemaphoreSlim _asking = new(1);
    private readonly Lock _gate = new();
    private readonly HashSet<BatchId> _unasked = [];

    /// <inheritdoc/>
    public string Location => inner.Location;

    /// <inheritdoc/>
    public int AppendsUnderWayMax => inner.AppendsUnderWayMax;

    /// <inheritdoc/>
    public bool TakesCheckpoints => inner.TakesCheckpoints;

    private string Place => Location.Length == 0 ? "the logs" : Location;

    /// <inheritdoc/>
    public ValueTask<AppendResult> AppendAsync(
        long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
        AppendAsync(null, position, batchId, batch, cancellationToken);

    /// <inheritdoc/>
    public ValueTask<AppendResult> AppendBehindAsync(
        BatchId behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
        CancellationToken cancellationToken) =>
        AppendAsync(behind, position, batchId, batch, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask<long> GetEndAsync(CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        return await inner.GetEndAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
        long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        // Batches run on the caller's thread.
        await foreach (var batch in inner.ReadAsync(from, to, cancellationToken))
        {
            await EnterAsync(cancellationToken);
            yield return batch;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        return await inner.GetCheckpointAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask WriteCheckpointAsync(
        long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken);
        faults.Room(Place);
        await inner.WriteCheckpointAsync(position, content, cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask<long> TrimAsync(CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        return await inner.TrimAsync(cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        await faults.PassAsync(cancellationToken).ConfigureAwait(false);
        faults.Admit(Place);
    }

    private async ValueTask<AppendResult> AppendAsync(
        BatchId? behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
        CancellationToken cancellationToken)
    {
        AppendFate fate;
        ValueTask<AppendResult> append;
        await _asking.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            fate = await DrawAsync(behind, batchId, cancellationToken).ConfigureAwait(false);
            if (fate.Failure == AppendFailure.Late)
            {
                _ = AppendLateAsync(fate.Delay, behind, position, batchId, batch.ToArray());
                throw new IOException($"The append to {Place} was not answered (a fault of the test).");
            }

            append = AskAsync(behind, position, batchId, batch, cancellationToken);
        }
        finally
        {
            _asking.Release();
        }

        var result = await append.ConfigureAwait(false);
        if (fate.Delay > TimeSpan.Zero) await AtLeast.WaitAsync(fate.Delay, cancellationToken).ConfigureAwait(false);
        await faults.PassAsync(cancellationToken).ConfigureAwait(false);
        if (fate.Failure == AppendFailure.After)
            throw new IOException($"The answer of {Place} was lost (a fault of the test).");
        return result;
    }

    private async ValueTask<AppendFate> DrawAsync(BatchId? behind, BatchId batchId, CancellationToken cancellationToken)
    {
        try
        {
            await EnterAsync(cancellationToken).ConfigureAwait(false);
            faults.Room(Place);
            if (behind is { } first && IsUnasked(first))
                throw new IOException($"The append before this one to {Place} has failed.");
            var fate = faults.Draw();
            if (fate.Failure == AppendFailure.Before)
                throw new IOException($"The append to {Place} has failed (a fault of the test).");
            if (fate.Failure != AppendFailure.Late) Asked(batchId);
            else NotAsked(batchId);
            return fate;
        }
        catch
        {
            NotAsked(batchId);
            throw;
        }
    }

    // The log itself would take what is behind a batch that it has never seen for a rival's.
    private bool IsUnasked(BatchId batch)
    {
        lock (_gate) return _unasked.Contains(batch);
    }

    private void NotAsked(BatchId batch)
    {
        lock (_gate) _unasked.Add(batch);
    }

    private void Asked(BatchId batch)
    {
        lock (_gate) _unasked.Remove(batch);
    }

    private async Task AppendLateAsync(TimeSpan delay, BatchId? behind, long position, BatchId batchId, byte[] batch)
    {
        await AtLeast.WaitAsync(delay).ConfigureAwait(false);
        if (faults.IsRefused) return;
        try
        {
            await AskAsync(behind, position, batchId, batch, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Its appender has been told so already.
        }
    }

    private ValueTask<AppendResult> AskAsync(
        BatchId? behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
        CancellationToken cancellationToken) =>
        behind is { } first
            ? inner.AppendBehindAsync(first, position, batchId, batch, cancellationToken)
            : inner.AppendAsync(position, batchId, batch, cancellationToken);
}
