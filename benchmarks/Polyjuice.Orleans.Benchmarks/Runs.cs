using System.Diagnostics;
using System.Globalization;
using System.Runtime;
using Polyjuice.Benchmarking.Load;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Runs cases, and prints what comes of them.</summary>
internal static class Runs
{
    /// <summary>How long each arm runs in one turn of warming up.</summary>
    private const double WarmUpSeconds = 2;

    private static readonly TimeSpan s_warmUpMax = TimeSpan.FromMinutes(1);

    /// <summary>Measures all cases, the arms of each one right after the other, so that what the machine does meanwhile falls on all of them alike. What is in the file already is not measured again.</summary>
    /// <returns>Whether all was measured within the time.</returns>
    public static async Task<bool> CasesAsync(Settings settings, CancellationToken cancellationToken)
    {
        var file = ResultFile.Open(settings.Json);
        var watch = Stopwatch.StartNew();
        var left = 0;
        var isWarm = false;
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
                        if (!isWarm) await WarmUpAsync(settings.Arms, parameters, cancellationToken);
                        isWarm = true;
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

    private static Task WarmUpAsync(Arm[] arms, BenchmarkCase parameters, CancellationToken cancellationToken) => CompilerWarmUp.RunAsync(
        async () =>
        {
            foreach (var arm in arms) await Measurement.RunAsync(parameters, arm, WarmUpSeconds, round: 0, cancellationToken);
        },
        s_warmUpMax,
        static () => JitInfo.GetCompilationTime(),
        cancellationToken);
}
