using System.Diagnostics;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Tracing;

/// <summary>
/// What recording costs: on one cluster, pairs of intervals with and without, one right after the other. Every other
/// pair begins with recording, so that what a machine does meanwhile falls on both alike.
/// </summary>
/// <param name="start">Starts the cluster.</param>
/// <param name="pairEnded">Hears of each pair.</param>
internal sealed class TraceCost(Func<ClusterShape, Task<ITracingCluster>> start, Action<TraceCostPair> pairEnded)
{
    /// <summary>
    /// What is recorded in the other interval of each pair; <see langword="null"/>, and so by default, nothing.
    /// </summary>
    public TraceRecorderOptions? Baseline { get; init; }

    /// <summary>Measures <see cref="BenchmarkPlan.Repeat"/> pairs of the plan's first policy at its first θ.</summary>
    /// <param name="plan">What to run.</param>
    /// <param name="options">How to record.</param>
    /// <param name="sink">Where to.</param>
    /// <param name="cancellationToken">Ends early, with the pairs that are whole.</param>
    public async Task<TraceCostResult> RunAsync(
        BenchmarkPlan plan, TraceRecorderOptions options, ITraceSink sink, CancellationToken cancellationToken)
    {
        await using var load = await TraceLoad.StartAsync(start, plan, new SilentObserver(), cancellationToken);

        // What recording itself has to have compiled is not to be measured.
        if (plan.OperationsPerInterval is null) await RecordedAsync(load, plan, 0, options, sink, cancellationToken);
        var pairs = new List<TraceCostPair>();
        var counts = default(TraceCounts);
        for (var round = 1; round <= plan.Repeat && !cancellationToken.IsCancellationRequested; round++)
        {
            TraceCostSample? without = null;
            if (round % 2 == 1) without = await BaselineAsync(load, plan, round, sink, cancellationToken);
            var (with, recorded) = await RecordedAsync(load, plan, round, options, sink, cancellationToken);
            without ??= await BaselineAsync(load, plan, round, sink, cancellationToken);
            if (cancellationToken.IsCancellationRequested) break;
            counts = counts.With(recorded);
            pairs.Add(new TraceCostPair(round, without, with));
            pairEnded(pairs[^1]);
        }

        return new TraceCostResult(pairs, counts, await load.CheckAsync());
    }

    private async Task<TraceCostSample> BaselineAsync(
        TraceLoad load, BenchmarkPlan plan, int round, ITraceSink sink, CancellationToken cancellationToken) =>
        Baseline is null
            ? await MeasureAsync(load, plan, round, cancellationToken)
            : (await RecordedAsync(load, plan, round, Baseline, sink, cancellationToken)).Sample;

    private static async Task<(TraceCostSample Sample, TraceCounts Counts)> RecordedAsync(
        TraceLoad load, BenchmarkPlan plan, int round, TraceRecorderOptions options, ITraceSink sink,
        CancellationToken cancellationToken)
    {
        load.Cluster.StartTrace(options, sink);
        try
        {
            var sample = await MeasureAsync(load, plan, round, cancellationToken);
            return (sample, await load.Cluster.StopTraceAsync());
        }
        catch
        {
            await load.Cluster.StopTraceAsync();
            throw;
        }
    }

    private static async Task<TraceCostSample> MeasureAsync(
        TraceLoad load, BenchmarkPlan plan, int round, CancellationToken cancellationToken)
    {
        using var process = Process.GetCurrentProcess();
        var before = process.TotalProcessorTime;
        var collections = GC.CollectionCount(2);
        var interval = await load.RunAsync(plan, round, cancellationToken);
        process.Refresh();
        var used = process.TotalProcessorTime - before;

        // The warm-up used processors too, and about as much for each operation.
        var whole = interval.Elapsed + plan.Warmup;
        var operations = interval.CommittedPerSecond * whole.TotalSeconds;
        return new TraceCostSample(
            interval.CommittedPerSecond,
            operations > 0 ? used.TotalMicroseconds / operations : 0,
            GC.CollectionCount(2) - collections);
    }
}

/// <summary>One interval.</summary>
/// <param name="CommittedPerSecond">Operations acknowledged a second.</param>
/// <param name="ProcessorMicroseconds">
/// What all threads of the process, clients and background included, used of processors for each of them, about.
/// </param>
/// <param name="FullCollections">
/// How often the whole heap was collected meanwhile, which takes long and may fall on either.
/// </param>
public sealed record TraceCostSample(double CommittedPerSecond, double ProcessorMicroseconds, int FullCollections);

/// <summary>Two intervals, one right after the other.</summary>
/// <param name="Round">From 1.</param>
/// <param name="Without">Without recording, or with the baseline's.</param>
/// <param name="With">With recording.</param>
internal sealed record TraceCostPair(int Round, TraceCostSample Without, TraceCostSample With)
{
    /// <summary>Throughput with recording by throughput without.</summary>
    public double Ratio => With.CommittedPerSecond / Without.CommittedPerSecond;
}

/// <summary>What <see cref="TraceCost"/> found.</summary>
/// <param name="Pairs">The pairs, in order.</param>
/// <param name="Counts">What was recorded in all of them.</param>
/// <param name="Check">Whether the workload's invariant held.</param>
internal sealed record TraceCostResult(IReadOnlyList<TraceCostPair> Pairs, TraceCounts Counts, InvariantCheck Check);
