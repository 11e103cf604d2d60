using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Choosing;

/// <summary>Measures tables on one load after the other: each table in each round, while clients never pause.</summary>
/// <param name="start">Starts a cluster.</param>
/// <param name="tables">The tables.</param>
/// <param name="settle">How long a table is in force before it is measured.</param>
/// <param name="measured">How long it is measured.</param>
/// <param name="rounds">How often.</param>
/// <param name="clients">Of the closed loop.</param>
/// <param name="seed">Of all choices.</param>
internal sealed class ChoiceRun(
    Func<ClusterShape, Task<IBenchmarkCluster>> start, IReadOnlyList<IPolicyCompiler> tables, TimeSpan settle,
    TimeSpan measured, int rounds, int clients, ulong seed)
{
    /// <summary>Measures all tables under all phases of a load.</summary>
    /// <param name="load">The load.</param>
    /// <param name="cancellationToken">Ends early; what was measured by then is given.</param>
    /// <exception cref="InvalidOperationException">The workload's invariant does not hold.</exception>
    public async Task<IReadOnlyList<ChoiceMeasurement>> MeasureAsync(
        ChoiceLoad load, CancellationToken cancellationToken)
    {
        var found = new List<ChoiceMeasurement>();
        await using var cluster = await start(load.Shape);
        var observed = tables.Select(table => new ObservedPolicy(table)).ToArray();
        cluster.Swap(observed[0]);
        var workload = load.Workload.Create(load.Parameters);
        await cluster.RunOnClientAsync(() => workload.LoadAsync(cluster.View, WorkloadVariant.Transactional));
        foreach (var (index, phase) in load.Phases.Index())
        {
            phase.Begin(workload);
            var interval = new LoadInterval(operationLimit: null);
            var running = cluster.RunOnClientAsync(() => ClosedLoop.RunAsync(
                [
                    .. Enumerable.Range(0, clients)
                    .Select(i => ClientOf(workload, cluster, phase, (index * clients) + i))
                ],
                interval));
            interval.StartMeasuring();
            for (var round = 1; round <= rounds && !cancellationToken.IsCancellationRequested; round++)
            {
                for (var turn = 0; turn < tables.Count && !running.IsCompleted; turn++)
                {
                    // Rounds begin at different tables, and every other one goes
                    // backwards: none always follows another.
                    var place = (turn + (round * tables.Count / rounds)) % tables.Count;
                    var table = observed[round % 2 == 0 ? tables.Count - 1 - place : place];
                    cluster.Swap(table);
                    await LoadPause.ForAsync(settle, running, cancellationToken);
                    var (before, committed, since) = (Read(cluster), interval.Committed, interval.MeasuredSoFar);
                    await LoadPause.ForAsync(measured, running, cancellationToken);
                    if (cancellationToken.IsCancellationRequested) break;
                    var counts = Read(cluster).Since(before);
                    found.Add(new(
                        load.Workload.Name, TextOf(load, phase), load.Shape.Silos, round, table.Name,
                        Math.Round((interval.MeasuredSoFar - since).TotalSeconds, 3), interval.Committed - committed,
                        [.. counts.Values]));
                }
            }

            interval.End();
            await running;
        }

        var check = await BenchmarkRunner.CheckAsync(cluster, workload, new BenchmarkArm(tables[0], 0));
        return check.Holds ? found : throw new InvalidOperationException($"{load.Workload.Name}: {check.Description}");
    }

    private IWorkloadClient ClientOf(IWorkload workload, IBenchmarkCluster cluster, ChoicePhase phase, int index) =>
        workload.CreateClient(
            cluster.View,
            new(
                WorkloadVariant.Transactional,
                phase.Theta,
                BenchmarkRandom.Derive(seed, (ulong)index),
                index % clients));

    private static LoadCounts Read(IBenchmarkCluster cluster) =>
        LoadCounts.Of(EngineStatistics.Sum(cluster.Processes.Select(static process => process.Load())));

    private static string TextOf(ChoiceLoad load, ChoicePhase phase) => string.Join(
        ", ", load.Workload.Name, phase.Text, SettingText.Silos(load.Shape.Silos),
        SettingText.Appends(load.Shape.AppendLatency.TotalMilliseconds));
}
