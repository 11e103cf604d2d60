using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Benchmarking.Experiments.Recon;

/// <summary>Measures one arm once, on a cluster of its own.</summary>
internal sealed class ReconCase(ReconSettings settings, string policy, TimeSpan storage, bool isCold, Func<IReadOnlyList<long>[], ITransferKeys> choose)
{
    private const int Loading = 1_024;

    /// <summary>Bound on a measurement of a fixed number of transactions.</summary>
    private static readonly TimeSpan _transactionsMax = TimeSpan.FromSeconds(60);

    public async Task<IReadOnlyDictionary<string, double>> MeasureAsync(int round, CancellationToken cancellationToken)
    {
        using var times = new ConflictTimes();
        var options = new EmbeddedClusterOptions
        {
            Silos = settings.Silos, Seed = settings.Seed, Data = EmbeddedCluster.MemoryData, AppendLatency = storage, Policy = AdmissionTable.Of(policy),
            ConfigureServices = services => services.AddSingleton(new RecordLoad(storage)),
        };
        options.Engine.ConflictTimes = times;
        await using var cluster = await EmbeddedCluster.StartAsync(options);
        var client = cluster.Client;
        if (!isCold) await client.RunAsync(() => Batches.ForEachAsync(settings.Records, Loading, key => client.GetGrain<IRecordGrain>(key).Get()));
        var keys = choose(PartitionsOf(cluster));
        var (isOver, isMeasuring, committed, failed) = (false, false, 0L, 0L);
        var enough = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var warmup = isCold || settings.Transactions is not null ? TimeSpan.Zero : settings.Measured / 4;
        if (warmup == TimeSpan.Zero) Volatile.Write(ref isMeasuring, true);
        times.Start();
        var before = cluster.Statistics.Engine;
        var watch = Stopwatch.StartNew();
        var load = client.RunAsync(() => Task.WhenAll(Enumerable.Range(0, settings.Clients).Select(ClientAsync)));
        if (warmup > TimeSpan.Zero)
        {
            await LoadPause.ForAsync(warmup, load, cancellationToken);
            before = cluster.Statistics.Engine;
            times.Start();
            watch.Restart();
            Volatile.Write(ref isMeasuring, true);
        }

        await LoadPause.ForAsync(settings.Transactions is null ? settings.Measured : _transactionsMax, Task.WhenAny(enough.Task, load), cancellationToken);
        Volatile.Write(ref isMeasuring, false);
        times.Stop();
        var elapsed = watch.Elapsed;
        var after = cluster.Statistics.Engine;
        Volatile.Write(ref isOver, true);
        await load;
        var sum = 0L;
        await client.RunAsync(() => Batches.ForEachAsync(settings.Records, Loading, async key =>
        {
            var value = await client.GetGrain<IRecordGrain>(key).Get();
            sum += value;
        }));
        if (sum != 0) throw new InvalidOperationException($"Transfers neither make nor lose anything, but all records together hold {sum} under {policy}.");
        var attempts = Math.Max(1, after.Attempts - before.Attempts);
        var conflicts = 0L;
        for (var reason = 0; reason < after.AbortsByReason.Length; reason++)
        {
            if (((AbortReason)reason).IsConflict()) conflicts += after.AbortsByReason[reason] - before.AbortsByReason[reason];
        }

        var figures = new Dictionary<string, double>
        {
            ["committed/s"] = committed / elapsed.TotalSeconds,
            ["aborted"] = (double)conflicts / attempts,
            ["conflicts"] = conflicts,
            ["strays"] = after.AccessSetMisses - before.AccessSetMisses,
            ["handed on"] = after.HandedOn - before.HandedOn,
            ["cut short"] = after.ReservationTimeouts - before.ReservationTimeouts,
            ["failed"] = failed,
        };
        times.AddTo(figures, elapsed);
        return figures;

        async Task ClientAsync(int index)
        {
            var random = new BenchmarkRandom(BenchmarkRandom.Derive(settings.Seed, ((ulong)round << 32) + (ulong)index));
            while (!Volatile.Read(ref isOver))
            {
                var chosen = keys.Next(random);
                try
                {
                    var from = client.GetGrain<IRecordGrain>(chosen[0]);
                    await AdmissionTable.Transfer(policy, from, chosen[1..]);
                    if (Volatile.Read(ref isMeasuring)) committed++;
                    if (committed < settings.Transactions || settings.Transactions is null) continue;
                    Volatile.Write(ref isOver, true);
                    enough.TrySetResult();
                }
                catch (Exception exception) when (Outcomes.Of<NotSupportedException>(exception) is OperationOutcome.Aborted)
                {
                    failed++;
                }
            }
        }
    }

    private IReadOnlyList<long>[] PartitionsOf(EmbeddedCluster cluster)
    {
        var partitions = Enumerable.Range(0, cluster.Partitions).Select(_ => new List<long>()).ToArray();
        for (var key = 0; key < settings.Records; key++)
            partitions[StableHash.Partition(((IAddressable)cluster.Client.GetGrain<IRecordGrain>(key)).GetGrainId().ToString(), cluster.Partitions)].Add(key);
        return partitions;
    }
}
