using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Transactions;
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

    [Fact]
    public async Task It_is_looked_at_less_and_less_often_and_taken_over_when_it_is_mended()
    {
        const string Clock = TransactionTimeProviderNames.Transactions;
        var logs = new Logs(new MemoryLogStore(2));
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.ConfigureSilo = silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(Clock, (_, _) => new Looks());
            silo.Services.AddKeyedSingleton<ILogStoreProvider>(PolyjuiceOptions.DefaultLogProvider, logs);
        });
        var grains = Enumerable.Range(0, 16).Select(key => cluster.Grains.GetGrain<IAccount>(key)).ToArray();
        await Task.WhenAll(grains.Select(grain => grain.Deposit(1)));

        logs.IsDamaged = true;
        var looks = (Looks)cluster.Silos[0].Services.GetRequiredKeyedService<TimeProvider>(Clock);
        looks.Begin();
        await cluster.Silos[1].CrashAsync();

        // From 50 ms twice as long each time, up to 30 s: two hours of it.
        for (var look = 0; look < 250; look++)
        {
            var pause = await looks.NextAsync();
            Assert.Equal(Math.Min(30_000, look < 10 ? 50 << look : 30_000), pause.Duration.TotalMilliseconds);
            Assert.Equal(look + 1, logs.Found);
            pause.End();
        }

        var last = await looks.NextAsync();
        logs.IsDamaged = false;
        last.End();
        await cluster.WhenServedAsync();
        Assert.All(await Task.WhenAll(grains.Select(grain => grain.GetBalance())), balance => Assert.Equal(1, balance));
    }

    /// <summary>A clock whose pauses end when a test says so. Before <see cref="Begin"/> they pass as usual.</summary>
    private sealed class Looks : TimeProvider
    {
        private readonly Channel<Pause> _pauses = Channel.CreateUnbounded<Pause>();
        private volatile bool _isBegun;

        public void Begin() => _isBegun = true;

        public async Task<Pause> NextAsync() =>
            await _pauses.Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(2));

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            if (!_isBegun) return base.CreateTimer(callback, state, dueTime, period);
            var pause = new Pause(dueTime, () => callback(state));
            _pauses.Writer.TryWrite(pause);
            return pause;
        }
    }

    private sealed record Pause(TimeSpan Duration, Action End) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => false;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => default;
    }

    private sealed class Logs(MemoryLogStore store) : ILogStoreProvider, ILogStore
    {
        public const string Damage = "segment 7 is damaged";
        private readonly TaskCompletionSource _foundAgain = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _found;

        public bool IsDamaged { get; set; }

        /// <summary>How often it was read since it was damaged.</summary>
        public int Found => Volatile.Read(ref _found);

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
