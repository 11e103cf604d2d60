using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>Measures one arm once, on a cluster of its own, a slice of time by turns with the others.</summary>
internal sealed class ReconCase(
    ReconSettings settings, string policy, TimeSpan storage, bool isCold,
    Func<int, IReadOnlyList<long>[], ITransferKeys> choose)
{
    private const int Loading = 1_024;

    /// <summary>Bound on a measurement of a fixed number of transactions.</summary>
    private static readonly TimeSpan _transactionsMax = TimeSpan.FromSeconds(60);

    public async Task<IReadOnlyDictionary<string, double>> MeasureAsync(
        int round, MeasuringTurn turn, CancellationToken cancellationToken)
    {
        using var times = new ConflictTimes();
        await turn.TakeAsync();
        await using var cluster = await StartAsync(times);
        using var clients = new ClientLoop();
        var grains = cluster.Grains;
        if (!isCold)
            await clients.RunAsync(
                () => Batches.ForEachAsync(settings.Records, Loading, key => grains.GetGrain<IRecordGrain>(key).Get()));
        var load = new TransferLoad(
            grains,
            clients,
            policy,
            settings.Clients,
            index => new BenchmarkRandom(BenchmarkRandom.Derive(settings.Seed, ((ulong)round << 32) + (ulong)index)),
            choose(round, PartitionsOf(cluster)));
        turn.Pass();
        if (!isCold && settings.Transactions is null) await SlicesAsync(settings.Measured / 4);
        var (before, committed) = (cluster.Statistics, load.Committed);
        var elapsed = await SlicesAsync(settings.Transactions is null ? settings.Measured : _transactionsMax, times);
        var after = cluster.Statistics;
        await turn.TakeAsync();
        var sum = 0L;
        await clients.RunAsync(() => Batches.ForEachAsync(settings.Records, Loading, async key =>
        {
            var value = await grains.GetGrain<IRecordGrain>(key).Get();
            sum += value;
        }));
        if (sum != 0)
            throw new InvalidOperationException(
                $"Transfers neither make nor lose anything, but all records together hold {sum} under {policy}.");
        var attempts = Math.Max(1, after.Attempts - before.Attempts);
        var conflicts = 0L;
        for (var reason = 0; reason < after.AbortsByReason.Length; reason++)
        {
            if (((AbortReason)reason).IsConflict())
                conflicts += after.AbortsByReason[reason] - before.AbortsByReason[reason];
        }

        var figures = new Dictionary<string, double>
        {
            ["committed/s"] = (load.Committed - committed) / elapsed.TotalSeconds,
            ["aborted"] = (double)conflicts / attempts,
            ["conflicts"] = conflicts,
            ["strays"] = after.AccessSetMisses - before.AccessSetMisses,
            ["handed on"] = after.HandedOn - before.HandedOn,
            ["cut short"] = after.ReservationTimeouts - before.ReservationTimeouts,
            ["failed"] = load.Failed,
        };
        times.AddTo(figures, elapsed);
        return figures;

        async Task<TimeSpan> SlicesAsync(TimeSpan time, ConflictTimes? counting = null)
        {
            var (slices, elapsed) = (Math.Max(1, (int)Math.Round(time / settings.Slice)), TimeSpan.Zero);
            for (var slice = 0; slice < slices && !cancellationToken.IsCancellationRequested
                && !(load.Committed >= settings.Transactions); slice++)
            {
                await turn.TakeAsync();
                counting?.Start();
                elapsed += await load.RunAsync(time / slices, settings.Transactions, cancellationToken);
                counting?.Stop();
                turn.Pass();
            }

            return elapsed;
        }
    }

    private Task<PolyjuiceTestCluster> StartAsync(ConflictTimes times) => PolyjuiceTestCluster.StartAsync(options =>
    {
        options.Silos = options.Partitions = settings.Silos;
        options.AppendDelay = storage;
        options.PolicyCompiler = AdmissionTable.Of(policy);
        options.ConfigureEngine = engine => (engine.ConflictTimes, engine.LearnsAccessSets) =
            (times, policy != AdmissionTable.DryRunReserve);
        options.ConfigureSilo = silo => silo.Services.AddSingleton(new RecordLoad(storage));
    });

    private IReadOnlyList<long>[] PartitionsOf(PolyjuiceTestCluster cluster)
    {
        var partitions = Enumerable.Range(0, settings.Silos).Select(_ => new List<long>()).ToArray();
        for (var key = 0; key < settings.Records; key++)
            partitions[cluster.Groups.PartitionOf(
                cluster.Grains.GetGrain<IRecordGrain>(key).GetGrainId().ToString(), settings.Silos)]
                .Add(
                    key);
        return partitions;
    }
}
