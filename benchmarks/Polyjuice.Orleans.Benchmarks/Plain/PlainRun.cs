using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>
/// Plain calls in silos that differ in what they have registered. All silos are there at the same time, each a cluster of its own, and one at a time gets load, for a slice of a second: so what the machine does meanwhile falls on
/// all of them alike, and so do compiled code and memory. The first arm is what the others are compared with. What decides is the processor time of a call: callers keep the processors busy, so that calls a second follow from it, and
/// it does not depend on how much of a processor others leave.
/// </summary>
internal static class PlainRun
{
    // At least 97% of the calls in the same processor time.
    private const double CostMax = 1 / 0.97;

    /// <summary>Measures and prints.</summary>
    /// <returns>Whether all arms but the first make at least 97% of its calls in the same processor time, by the whole interval.</returns>
    public static async Task<bool> RunAsync(Settings settings, CancellationToken cancellationToken)
    {
        var parameters = settings.Cases.First();
        var arms = settings.Arms;
        var clusters = new List<BankCluster>();
        try
        {
            foreach (var arm in arms) clusters.Add(await BankCluster.StartAsync(parameters, arm, Measurement.NextPort(parameters)));
            var holds = true;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{parameters.Clients} callers, {settings.Rounds} rounds of one slice of {settings.Seconds} s for each arm; intervals are of 95%."));
            Console.WriteLine();
            Console.WriteLine("| calls by | arm | calls/s, median | ÷ first | interval | CPU µs each, median | ÷ first | interval | |");
            Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
            foreach (var shape in settings.Shapes)
            {
                var slices = await MeasureAsync(settings, shape, parameters.Clients, clusters, cancellationToken);
                for (var i = 0; i < arms.Length; i++) holds &= Print(shape, arms[i], slices[0], slices[i], isFirst: i == 0);
            }

            return holds;
        }
        finally
        {
            foreach (var cluster in clusters) await cluster.DisposeAsync();
        }
    }

    private static async Task<List<Slice>[]> MeasureAsync(Settings settings, PlainShape shape, int callers, List<BankCluster> clusters, CancellationToken cancellationToken)
    {
        List<Slice>[] slices = [.. clusters.Select(_ => new List<Slice>())];

        // Code is compiled again a few times until it is as fast as it gets.
        var warmUps = (int)Math.Ceiling(4 / settings.Seconds);
        var watch = Stopwatch.StartNew();
        for (var round = -warmUps; round < settings.Rounds && (round < 2 || watch.Elapsed < settings.Bound); round++)
        {
            // Each arm comes after each other one equally often.
            for (var i = 0; i < clusters.Count; i++)
            {
                var arm = (Math.Abs(round) % 2 == 0 ? i : clusters.Count - 1 - i) + Math.Abs(round / 2);
                arm %= clusters.Count;
                cancellationToken.ThrowIfCancellationRequested();
                GC.Collect(0);
                var slice = await SliceAsync(clusters[arm], shape, callers, TimeSpan.FromSeconds(settings.Seconds));
                if (round >= 0) slices[arm].Add(slice);
            }
        }

        return slices;
    }

    private static async Task<Slice> SliceAsync(BankCluster cluster, PlainShape shape, int callers, TimeSpan length)
    {
        var process = Process.GetCurrentProcess();
        var cpu = process.TotalProcessorTime;
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            long count = 0;
            for (; Stopwatch.GetElapsedTime(start) < length; count += shape.Calls) await shape.RunAsync(cluster.Grains, caller);
            return count;
        })));
        var seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        process.Refresh();
        var calls = counts.Sum();
        return new(calls / seconds, (process.TotalProcessorTime - cpu).TotalMicroseconds / calls);
    }

    private static bool Print(PlainShape shape, Arm arm, List<Slice> first, List<Slice> slices, bool isFirst)
    {
        var rates = PairedComparison.Of([.. first.Zip(slices, (one, other) => (one.Rate, other.Rate))]);
        var costs = PairedComparison.Of([.. first.Zip(slices, (one, other) => (one.Cost, other.Cost))]);
        var verdict = isFirst ? "" : costs.High <= CostMax ? "within 3%" : costs.Low > CostMax ? "more than 3% slower" : "not decided: take more rounds";
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {shape.Name} | {arm.Name} | {Medians.Of([.. slices.Select(slice => slice.Rate)]):N0} | {rates.Median:P1} | {rates.Low:P1} to {rates.High:P1} | {Medians.Of([.. slices.Select(slice => slice.Cost)]):F2} | {costs.Median:P1} | {costs.Low:P1} to {costs.High:P1} | {verdict} |"));
        return isFirst || costs.High <= CostMax;
    }

    private readonly record struct Slice(double Rate, double Cost);
}
