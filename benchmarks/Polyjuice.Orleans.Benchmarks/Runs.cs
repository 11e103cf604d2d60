using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>The commands.</summary>
internal static class Runs
{
    /// <summary>Measures all cases, the arms of each one right after the other, so that what the machine does meanwhile falls on all of them alike. What is in the file already is not measured again.</summary>
    /// <returns>Whether all was measured within the time.</returns>
    public static async Task<bool> CasesAsync(Settings settings, CancellationToken cancellationToken)
    {
        var file = ResultFile.Open(settings.Json);
        var watch = Stopwatch.StartNew();
        var left = 0;
        Report.RunHead();
        for (var round = 0; round < settings.Rounds; round++)
        {
            foreach (var parameters in settings.Cases)
            {
                foreach (var arm in settings.Arms)
                {
                    if (settings.Json is not null && file.Has(parameters, arm, round)) continue;
                    if (watch.Elapsed >= settings.Bound || cancellationToken.IsCancellationRequested)
                    {
                        left++;
                        continue;
                    }

                    try
                    {
                        var result = await Measurement.RunAsync(parameters, arm, settings.Seconds, round, cancellationToken);
                        Report.Run(result);
                        file.Add(result, settings.Json);
                    }
                    catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
                    {
                        left++;
                    }
                }
            }
        }

        Console.WriteLine();
        Report.Grid(file.Results);
        if (left == 0) return true;
        Console.WriteLine();
        Console.WriteLine($"{left} runs are left, because the time was up{(settings.Json is null ? "" : ": the same command goes on with them")}.");
        return false;
    }

    /// <summary>Plain calls of grains in a silo with the engine on, against a silo without.</summary>
    /// <returns>Whether the interval lies above 97%.</returns>
    public static async Task<bool> PlainAsync(Settings settings, CancellationToken cancellationToken)
    {
        Arm[] arms = [Arm.Parse("plain"), Arm.Parse("plain-beside")];
        var parameters = settings.Cases.First();
        var pairs = new List<(double First, double Second)>();
        var watch = Stopwatch.StartNew();

        // The first pair finds code that has not been compiled yet.
        foreach (var arm in arms) await Measurement.RunAsync(parameters, arm, settings.Seconds, 0, cancellationToken);
        Console.WriteLine("| pair | without /s | with /s | with ÷ without |");
        Console.WriteLine("|---|---|---|---|");
        for (var pair = 0; pair < settings.Rounds && (pair < 2 || watch.Elapsed < settings.Bound); pair++)
        {
            var committed = new double[2];

            // In turn, so that neither is always the one that comes after the other.
            foreach (var which in pair % 2 == 0 ? (int[])[0, 1] : [1, 0]) committed[which] = (await Measurement.RunAsync(parameters, arms[which], settings.Seconds, pair, cancellationToken)).Committed;
            pairs.Add((committed[0], committed[1]));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {pair + 1} | {committed[0]:N0} | {committed[1]:N0} | {committed[1] / committed[0]:P1} |"));
        }

        var comparison = PairedComparison.Of(pairs);
        Console.WriteLine();
        var verdict = comparison.Low >= 0.97 ? "Within 3%." : comparison.High < 0.97 ? "More than 3% slower." : "Not decided: take more pairs.";
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"Plain calls with the engine on, against without: {comparison.Mean:P1}, 95% interval {comparison.Low:P1} to {comparison.High:P1}, {comparison.Pairs} pairs of {settings.Seconds} s, {parameters.Clients} callers. {verdict}"));
        return comparison.Low >= 0.97;
    }
}
