using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Storage;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>A log that can't be read when a silo that runs is to take it over.</summary>
public sealed class DamagedLogTests
{
    [Fact]
    public async Task It_is_said_once_and_makes_the_silo_not_ready_with_the_reason_until_it_is_mended()
    {
        var lines = new LogLines("Polyjuice.Orleans");
        var logs = new Logs(new MemoryLogStore(2));
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.ConfigureSilo = silo =>
        {
            silo.ConfigureLogging(logging => logging.AddProvider(lines));
            silo.Services.AddKeyedSingleton<ILogStoreProvider>(PolyjuiceOptions.DefaultLogProvider, logs);
        });
        var (stays, leaves) = (cluster.Silos[0], cluster.Silos[1]);
        var grains = Enumerable.Range(0, 16).Select(key => cluster.Grains.GetGrain<IAccount>(key)).ToArray();
        await Task.WhenAll(grains.Select(grain => grain.Deposit(1)));

        logs.IsDamaged = true;
        await leaves.CrashAsync();
        await logs.FoundAgain;

        Assert.False(stays.Engine.Readiness.IsReady);
        Assert.Contains(
            "serves 1 of its 2 log partitions; partition", stays.Engine.Readiness.ToString(), StringComparison.Ordinal);
        Assert.Contains(Logs.Damage, stays.Engine.Readiness.Problem, StringComparison.Ordinal);
        Assert.Single(
            lines.All,
            line => line.Level == LogLevel.Error && line.Text.Contains(Logs.Damage, StringComparison.Ordinal));

        logs.IsDamaged = false;
        await cluster.WhenServedAsync();
        Assert.Null(stays.Engine.Readiness.Problem);
        Assert.All(await Task.WhenAll(grains.Select(grain => grain.GetBalance())), balance => Assert.Equal(1, balance));
    }

    private sealed class Logs(MemoryLogStore store) : ILogStoreProvider, ILogStore
    {
        public const string Damage = "segment 7 is damaged";
        private readonly TaskCompletionSource _foundAgain = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _found;

        public bool IsDamaged { get; set; }

        /// <summary>Completes when it was read three times since it was damaged.</summary>
        public Task FoundAgain => _foundAgain.Task;

        public int PartitionCount => store.PartitionCount;

        public Task<ILogStore> OpenAsync(CancellationToken cancellationToken) => Task.FromResult<ILogStore>(this);

        public IPartitionLog Open(int partition) => new Log(this, store.Open(partition));

        private void Read()
        {
            if (!IsDamaged) return;
            if (Interlocked.Increment(ref _found) == 3) _foundAgain.TrySetResult();
            throw new LogUnusableException(Damage);
        }

        private sealed class Log(Logs logs, IPartitionLog inner) : IPartitionLog
        {
            public ValueTask<AppendResult> AppendAsync(
                long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
                inner.AppendAsync(position, batchId, batch, cancellationToken);

            public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) =>
                inner.GetEndAsync(cancellationToken);

            public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
                long from, long to, CancellationToken cancellationToken)
            {
                logs.Read();
                return inner.ReadAsync(from, to, cancellationToken);
            }
        }
    }
}
