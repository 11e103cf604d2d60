using System.Diagnostics;
using System.Globalization;
using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Cli.Checking;

/// <summary>Hunts canaries from several starts each, and prints how many runs that took
/// (docs/internals/simulation.md).</summary>
/// <param name="canaries">Which.</param>
/// <param name="from">The first start.</param>
/// <param name="starts">How many hunts for each.</param>
/// <param name="runsMax">A hunt ends after so many runs.</param>
/// <param name="jobs">Threads; each hunts alone.</param>
/// <param name="isGuided">Whether hunts are guided, in all families of runs; else each is one of seeds, in the family
/// that suits the canary.</param>
internal sealed class CanaryTable(
    IReadOnlyList<Canary> canaries, ulong from, int starts, int runsMax, int jobs, bool isGuided)
{
    /// <summary>The starts are so far apart that no two hunts run the same seed.</summary>
    private const ulong StartStride = 1_000_000;

    private readonly CanarySighting?[,] _found = new CanarySighting?[canaries.Count, starts];
    private readonly TimeSpan[] _times = new TimeSpan[canaries.Count];
    private readonly int[] _left = [.. canaries.Select(_ => starts)];
    private readonly Lock _gate = new();
    private int _next = -1;
    private int _written;
    private int _missed;

    /// <summary>Writes the table, a row as soon as all before it are known; <see cref="ExitCodes.No"/> when one was
    /// not found by half of the hunts.</summary>
    public int Write(TextWriter output, CancellationToken cancellation)
    {
        output.WriteLine(
            "| canary | rule | shape | least | median | most | ms | found as | what the engine does without "
            + "the rule |");
        output.WriteLine("|---|---|---|---|---|---|---|---|---|");
        output.Flush();
        var threads = Enumerable.Range(0, jobs)
            .Select(_ => new Thread(() => Hunt(output, cancellation), maxStackSize: 16 << 20) { IsBackground = true })
            .ToArray();
        foreach (var thread in threads) thread.Start();
        foreach (var thread in threads) thread.Join();
        return _missed == 0 && _written == canaries.Count ? ExitCodes.Done : ExitCodes.No;
    }

    private void Hunt(TextWriter output, CancellationToken cancellation)
    {
        while (Interlocked.Increment(ref _next) is var next && next < canaries.Count * starts
            && !cancellation.IsCancellationRequested)
        {
            var (canary, start) = Math.DivRem(next, starts);
            var watch = Stopwatch.StartNew();
            var found = CanaryHunt.Run(
                canaries[canary], from + ((ulong)start * StartStride), runsMax, isGuided, cancellation);
            lock (_gate)
            {
                _found[canary, start] = found;
                _times[canary] += watch.Elapsed;
                _left[canary]--;
                for (; _written < canaries.Count && _left[_written] == 0; _written++) WriteRow(output, _written);
            }
        }
    }

    private void WriteRow(TextWriter output, int number)
    {
        var canary = canaries[number];
        int?[] runs =
        [
            .. Enumerable.Range(0, starts).Select(start => _found[number, start]?.Runs)
            .OrderBy(count => count ?? int.MaxValue)
        ];

        // Of an even number of hunts, the later of the two in the middle.
        var median = runs[starts / 2];
        if (median is null) _missed++;
        var kinds = Enumerable.Range(0, starts).Select(start => _found[number, start]?.Kind).OfType<string>()
            .GroupBy(kind => kind).OrderByDescending(kind => kind.Count())
            .ThenBy(kind => kind.Key, StringComparer.Ordinal);
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {canary.Name} | {canary.Rule} | {(isGuided ? ShapeOf(number) : canary.Shape)} | {Words(runs[0])} | "
            + $"{Words(median)} | {Words(runs[^1])} | {_times[number].TotalMilliseconds / starts:F0} | "
            + $"{kinds.FirstOrDefault()?.Key} | {canary.Summary} |"));
        output.Flush();
    }

    /// <summary>The family in which most hunts found it.</summary>
    private string ShapeOf(int number) =>
        Enumerable.Range(0, starts).Select(start => _found[number, start]?.Case.Shape).OfType<string>()
            .GroupBy(shape => shape).OrderByDescending(shape => shape.Count()).ThenBy(
                shape => shape.Key, StringComparer.Ordinal).FirstOrDefault()?.Key
                ?? "";

    private string Words(int? runs) =>
        runs is { } count
            ? count.ToString(CultureInfo.InvariantCulture)
            : $">{runsMax.ToString(CultureInfo.InvariantCulture)}";
}
