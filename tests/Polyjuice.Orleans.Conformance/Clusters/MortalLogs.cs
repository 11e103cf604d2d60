using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// Logs in memory that end for a silo when it is killed: what it appends from then on is neither written nor answered, as if its process had gone. The test cluster's kill is a stop in a hurry, in which a silo could
/// bring everything that it had begun to its end, so that no client would notice.
/// </summary>
internal sealed class MortalLogs(MemoryLogProvider inner) : ILogStoreProvider, ILifecycleParticipant<ISiloLifecycle>
{
    private volatile bool _isKilled;

    public async Task<ILogStore> OpenAsync(CancellationToken cancellationToken) => new Store(this, await inner.OpenAsync(cancellationToken));

    // The last stage is the first that stops; who kills does not wait.
    public void Participate(ISiloLifecycle lifecycle) =>
        lifecycle.Subscribe(nameof(MortalLogs), ServiceLifecycleStage.Last, _ => Task.CompletedTask, Stop);

    private Task Stop(CancellationToken cancellationToken)
    {
        _isKilled = cancellationToken.IsCancellationRequested;
        return Task.CompletedTask;
    }

    public sealed class Configurator : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) => siloBuilder.Services
            .AddSingleton(services => new MortalLogs(
                new MemoryLogProvider("", services.GetRequiredService<IOptionsMonitor<MemoryLogOptions>>(), services.GetRequiredService<IOptions<ClusterOptions>>())))
            .AddKeyedSingleton<ILogStoreProvider>(PolyjuiceOptions.DefaultLogProvider, (services, _) => services.GetRequiredService<MortalLogs>())
            .AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(services => services.GetRequiredService<MortalLogs>());
    }

    private sealed class Store(MortalLogs logs, ILogStore inner) : ILogStore, IDisposable
    {
        public int PartitionCount => inner.PartitionCount;

        public IPartitionLog Open(int partition) => new Log(logs, inner.Open(partition));

        public void Dispose() => (inner as IDisposable)?.Dispose();
    }

    private sealed class Log(MortalLogs logs, IPartitionLog inner) : IPartitionLog
    {
        public bool TakesCheckpoints => inner.TakesCheckpoints;

        public ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) => logs._isKilled
            ? new(new TaskCompletionSource<AppendResult>(TaskCreationOptions.RunContinuationsAsynchronously).Task.WaitAsync(cancellationToken))
            : inner.AppendAsync(position, batchId, batch, cancellationToken);

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => inner.GetEndAsync(cancellationToken);

        public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, CancellationToken cancellationToken) => inner.ReadAsync(from, to, cancellationToken);

        public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) => inner.GetCheckpointAsync(cancellationToken);

        public ValueTask WriteCheckpointAsync(long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken) =>
            inner.WriteCheckpointAsync(position, content, cancellationToken);

        public ValueTask<long> TrimAsync(CancellationToken cancellationToken) => inner.TrimAsync(cancellationToken);
    }
}
