using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>
/// Plain calls in silos that differ in what they have registered. Each arm is a process of its own (<see cref="PlainWorker"/>): in one process, code that both run is compiled for what the first does, and the others pay for that.
/// The arms' processes are there at the same time, and one at a time gets load, for a slice of a second: so what the machine does meanwhile falls on all of them alike. Then comes the next set of processes, because how well code
/// has been compiled differs from one to the next by more than what is looked for. The first arm is what the others are compared with. What decides is the processor time of a call: callers keep the processors busy, so that calls a
/// second follow from it, and it does not depend on how much of a processor others leave.
/// </summary>
internal static class PlainRun
{
    // At least 97% of the calls in the same processor time.
    private const double CostMax = 1 / 0.97;

    /// <summary>Measures and prints.</summary>
    /// <returns>Whether all arms but the first make at least 97% of its calls in the same processor time, by the whole interval.</returns>
    public static async Task<bool> RunAsync(Settings settings, CancellationToken cancellationToken)
    {
        PlainShape[] shapes = [.. settings.Shapes];
        var arms = settings.Arms;
        var clients = settings.Cases.First().Clients;
        var found = shapes.Select(_ => arms.Select(_ => new List<Slice>()).ToArray()).ToArray();
        var watch = Stopwatch.StartNew();
        var processes = 0;
        for (; processes < settings.Processes && (processes < 2 || watch.Elapsed < settings.Bound); processes++)
        {
            var workers = new WorkerProcess?[arms.Length];
            try
            {
                // Whoever starts first may find another machine, so they take turns.
                for (var i = 0; i < arms.Length; i++)
                {
                    var arm = processes % 2 == 0 ? i : arms.Length - 1 - i;
                    workers[arm] = await WorkerProcess.StartAsync(arms[arm], clients, cancellationToken);
                }

                for (var shape = 0; shape < shapes.Length; shape++)
                {
                    var slices = await MeasureAsync(settings, shapes[shape], workers!, cancellationToken);
                    for (var arm = 0; arm < arms.Length; arm++) found[shape][arm].Add(Slice.MedianOf(slices[arm]));
                }
            }
            finally
            {
                foreach (var worker in workers.OfType<WorkerProcess>()) await worker.DisposeAsync();
            }
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{clients} callers, {processes} processes for each arm, in each {settings.Rounds} slices of {settings.Seconds} s; medians of a process, of their ratios, and intervals of 95% over processes."));
        Console.WriteLine();
        Console.WriteLine("| calls by | arm | calls/s | ÷ first | interval | CPU µs each | ÷ first | interval | |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
        var holds = true;
        for (var shape = 0; shape < shapes.Length; shape++)
        {
            for (var arm = 0; arm < arms.Length; arm++) holds &= Print(shapes[shape], arms[arm], found[shape][0], found[shape][arm], isFirst: arm == 0);
        }

        return holds;
    }

    private static async Task<List<Slice>[]> MeasureAsync(Settings settings, PlainShape shape, WorkerProcess[] workers, CancellationToken cancellationToken)
    {
        List<Slice>[] slices = [.. workers.Select(_ => new List<Slice>())];

        // Code is compiled again a few times until it is as fast as it gets.
        var warmUps = (int)Math.Ceiling(4 / settings.Seconds);
        for (var round = -warmUps; round < settings.Rounds; round++)
        {
            // Each arm comes after each other one equally often.
            for (var i = 0; i < workers.Length; i++)
            {
                var arm = (Math.Abs(round) % 2 == 0 ? i : workers.Length - 1 - i) + Math.Abs(round / 2);
                arm %= workers.Length;
                cancellationToken.ThrowIfCancellationRequested();
                var slice = await workers[arm].MeasureAsync(shape, TimeSpan.FromSeconds(settings.Seconds), cancellationToken);
                if (round >= 0) slices[arm].Add(slice);
            }
        }

        return slices;
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
}
