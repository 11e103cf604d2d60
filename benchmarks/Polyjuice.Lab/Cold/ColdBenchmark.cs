using System.Diagnostics;
using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tool.Cold;

/// <summary>
/// How long a transaction takes whose grains are not active and keep their states with a storage provider, compared
/// with Orleans' own transactions on the same provider, in turns within one process.
/// </summary>
internal sealed class ColdBenchmark(ColdPlan plan, TextWriter output)
{
    private long _next = 1;

    /// <summary>Runs it. Whether every grain has what it was given.</summary>
    public async Task<bool> RunAsync(CancellationToken cancellationToken)
    {
        var isRight = true;
        foreach (var delay in plan.StorageDelays)
        {
            var clusters = new List<ColdCluster>();
            try
            {
                foreach (var engine in ColdPlan.Engines) clusters.Add(await ColdCluster.StartAsync(engine, delay));
                isRight &= await MeasureAsync(clusters, delay, isTogether: true, plan.Together, cancellationToken);
                isRight &= await MeasureAsync(clusters, delay, isTogether: false, plan.InSequence, cancellationToken);
            }
            finally
            {
                foreach (var cluster in clusters) await cluster.DisposeAsync();
            }
        }

        return isRight;
    }

    private async Task<bool> MeasureAsync(
        List<ColdCluster> clusters, TimeSpan delay, bool isTogether, int grains, CancellationToken cancellationToken)
    {
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{grains:N0} grains, called {(isTogether ? "together" : "one after the other")}; a storage call takes "
                + $"{delay.TotalMilliseconds:0.#} ms"));
        var took = clusters.ToDictionary(cluster => cluster, _ => new List<double>());
        var asked = new Dictionary<ColdCluster, StorageCount>();
        var isRight = true;
        for (var round = -1; round < plan.Rounds; round++)
        {
            foreach (var cluster in round % 2 == 0 ? clusters : Enumerable.Reverse(clusters))
            {
                cancellationToken.ThrowIfCancellationRequested();
                var first = _next;
                _next += grains;
                cluster.Counts.Take();
                var watch = Stopwatch.StartNew();
                await cluster.Root.Add(first, grains, isTogether);
                watch.Stop();

                // The first round compiles.
                if (round >= 0) took[cluster].Add(watch.Elapsed.TotalMilliseconds);
                asked[cluster] = cluster.Counts.Take();
                isRight &= await cluster.Root.Sum(first, grains) == grains;
            }
        }

        var table = new TextTable([
            "engine", "median ms", "least", "most", "loads", "stores", "KiB stored", "loads at a time"
        ]);
        foreach (var cluster in clusters)
        {
            var (times, counts) = (took[cluster], asked[cluster]);
            table.Row([
                cluster.Engine.Name, Number(Median(times)), Number(times.Min()), Number(times.Max()),
                Number(counts.Loads), Number(counts.Stores), Number(counts.Bytes / 1024.0),
                Number(counts.LoadsTogether),
            ]);
        }

        output.Write(table.ToString());
        var ratio = Median([.. took[clusters[0]].Zip(took[clusters[1]], static (own, other) => own / other)]);
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{clusters[0].Engine.Name} / {clusters[1].Engine.Name}: {ratio:0.00} (median of "
                + $"{plan.Rounds} rounds)"));
        if (!isRight) output.WriteLine("A grain has not what it was given.");
        return isRight;
    }

    private static double Median(List<double> values)
    {
        var sorted = values.Order().ToArray();
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    private static string Number(double value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
