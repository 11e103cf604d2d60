using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Embedded.Core;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.RealTime;

/// <summary>A log store whose appends take longer, in real time, as those of a disk or a service do. Thread-safe.</summary>
internal sealed class DelayedLogStore : ILogStore, IDisposable
{
    private readonly ILogStore _inner;
    private readonly long _latency;
    private readonly RealTimeLoop _timers = new(LoopWorkers.Shared, static () => { }, static () => false, NullLogger.Instance);

    public DelayedLogStore(ILogStore inner, TimeSpan latency)
    {
        _inner = inner;
        _latency = Durations.Microseconds(latency);
        _timers.Start();
    }

    /// <inheritdoc/>
    public int PartitionCount => _inner.PartitionCount;

    /// <inheritdoc/>
    public long Generation => _inner.Generation;

    /// <inheritdoc/>
    public IPartitionLog Open(int partition) => new DelayedLog(this, _inner.Open(partition));

    /// <inheritdoc/>
    public void Dispose() => _timers.Stop();

    private Task Delay()
    {
        var wait = new Wait(Clock.UtcMicroseconds + _latency, _timers);
        _timers.Post(static state => ((Wait)state!).Schedule(), wait);
        return wait.Task;
    }

    private sealed class Wait(long due, RealTimeLoop timers) : IAbandonable
    {
        private readonly TaskCompletionSource _source = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Task => _source.Task;

        public void Schedule() => timers.Schedule(due, static state => ((Wait)state!)._source.TrySetResult(), this);

        /// <inheritdoc/>
        public void Abandon() => _source.TrySetException(new IOException("The log store was closed."));
    }

    private sealed class DelayedLog(DelayedLogStore store, IPartitionLog inner) : IPartitionLog
    {
        public async ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
        {
            var result = await inner.AppendAsync(position, batchId, batch, cancellationToken);
            await store.Delay();
            return result;
        }

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => inner.GetEndAsync(cancellationToken);

        public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, CancellationToken cancellationToken) =>
            inner.ReadAsync(from, to, cancellationToken);

        public string Location => inner.Location;

        public bool TakesCheckpoints => inner.TakesCheckpoints;

        public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) => inner.GetCheckpointAsync(cancellationToken);

        public ValueTask WriteCheckpointAsync(long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken) =>
            inner.WriteCheckpointAsync(position, content, cancellationToken);

        public ValueTask<long> TrimAsync(CancellationToken cancellationToken) => inner.TrimAsync(cancellationToken);
    }
}
