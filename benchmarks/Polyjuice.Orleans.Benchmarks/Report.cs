using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Prints results as tables.</summary>
internal static class Report
{
    private const string Default = "orleans";
    private const string TunedHead = "orleans, best tuned";

    public static void RunHead()
    {
        Console.WriteLine("| workload | θ | clients | silos | storage ms | format | arm | committed/s | failed/s | p50 µs | p99 µs | CPU µs each | storage calls each | KiB allocated each |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    }

    public static void Run(Result run) => Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
        $"| {run.Workload} | {run.Theta} | {run.Clients} | {run.Silos} | {run.StorageMilliseconds} | {run.StorageFormat} | {run.Arm} | {run.Committed:N0} | {run.Failed:N0} | {run.P50:N0} | {run.P99:N0} | {run.CpuMicroseconds:N0} | {run.StorageCalls:N2} | {run.AllocatedBytes / 1024:N0} |"));

    /// <summary>One row for each case, one column for each arm: the median of the rounds, and how many times as fast as Orleans' engine as it comes and as it is when tuned by hand.</summary>
    public static void Grid(IReadOnlyCollection<Result> results)
    {
        if (results.Count == 0) return;
        var arms = results.Select(result => result.Arm).Distinct().ToArray();
        string[] fixedArms = [.. arms.Where(arm => !Arm.Parse(arm).IsTuned)];
        string[] tuned = [.. arms.Where(arm => Arm.Parse(arm).IsTuned)];
        string[] ours = [.. fixedArms.Where(arm => !Arm.Parse(arm).IsOrleans)];
        var hasDefault = fixedArms.Contains(Default);
        string[] heads = [.. fixedArms.Select(arm => $"{arm} /s"), .. tuned.Length > 0 ? [$"{TunedHead} /s"] : Array.Empty<string>(), .. ours.Select(arm => hasDefault ? $"{arm} × default, × tuned" : $"{arm} × tuned")];
        Console.WriteLine($"| workload | silos | storage ms | format | clients | θ | {string.Join(" | ", heads)} |");
        Console.WriteLine($"|---|---|---|---|---|---|{string.Concat(heads.Select(_ => "---|"))}");
        foreach (var row in results
            .GroupBy(result => (result.Workload, result.Silos, result.StorageMilliseconds, result.StorageFormat, result.Clients, result.Theta))
            .OrderBy(row => row.Key.Workload, StringComparer.Ordinal).ThenBy(row => row.Key.Silos).ThenBy(row => row.Key.StorageMilliseconds).ThenBy(row => row.Key.StorageFormat, StringComparer.Ordinal).ThenBy(row => row.Key.Clients).ThenBy(row => row.Key.Theta))
        {
            var medians = row.GroupBy(result => result.Arm).ToDictionary(arm => arm.Key, arm => Medians.Of([.. arm.Select(result => result.Committed)]));
            var best = tuned.Where(medians.ContainsKey).OrderByDescending(arm => medians[arm]).FirstOrDefault();
            string[] cells =
            [
                .. fixedArms.Select(arm => medians.TryGetValue(arm, out var median) ? Number(median) : ""),
                .. tuned.Length == 0 ? [] : (string[])[best is null ? "" : $"{Number(medians[best])} ({Arm.Parse(best).LockMilliseconds} ms)"],
                .. ours.Select(arm => hasDefault ? $"{Times(medians, arm, Default)}, {Times(medians, arm, best)}" : Times(medians, arm, best)),
            ];
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {row.Key.Workload} | {row.Key.Silos} | {row.Key.StorageMilliseconds} | {row.Key.StorageFormat} | {row.Key.Clients} | {row.Key.Theta} | {string.Join(" | ", cells)} |"));
        }
    }

    private static string Times(Dictionary<string, double> medians, string arm, string? other) =>
        other is not null && medians.TryGetValue(arm, out var own) && medians.TryGetValue(other, out var theirs)
            ? theirs > 0 ? string.Create(CultureInfo.InvariantCulture, $"{own / theirs:N1}") : own > 0 ? "∞" : "–"
            : "–";

    private static string Number(double value) => value.ToString(value < 10 ? "N1" : "N0", CultureInfo.InvariantCulture);
}
