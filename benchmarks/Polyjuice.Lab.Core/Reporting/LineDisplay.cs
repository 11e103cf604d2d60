using System.Diagnostics;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Spectre.Console;

namespace Polyjuice.Lab.Reporting;

/// <summary>One plain line per interval.</summary>
internal sealed class LineDisplay(IAnsiConsole console) : IBenchmarkObserver
{
    private static readonly TimeSpan _loadingPeriod = TimeSpan.FromSeconds(2);
    private int _total;
    private int _done;
    private long _lastLoading;

    public void Started(BenchmarkPlan plan, IReadOnlyList<BenchmarkArm> arms)
    {
        _total = arms.Count * plan.Repeat;
        console.WriteLine(
            $"{plan.Workload.Name}: {arms.Count} arms, {plan.Repeat} round(s), {plan.Shape.Silos} silo(s)");
    }

    public void WarmingUp() => console.WriteLine("warming up…");

    public void Loading(double share)
    {
        if (_lastLoading != 0 && Stopwatch.GetElapsedTime(_lastLoading) < _loadingPeriod) return;

        // The first call starts the clock: what loads in less than a period needs no line.
        if (_lastLoading != 0) console.WriteLine($"loading: {Figures.Share(share)}");
        _lastLoading = share < 1 ? Stopwatch.GetTimestamp() : 0;
    }

    public void ArmStarted(BenchmarkArm arm, int round)
    {
    }

    public void Progress(BenchmarkArm arm, long committed, TimeSpan elapsed)
    {
    }

    public void ArmEnded(BenchmarkArm arm, int round, IntervalSample sample, InvariantCheck check) => console.WriteLine(
        $"[{++_done}/{_total}] θ {Figures.Theta(arm.Theta),-5} {arm.Label,-14} "
        + $"{Figures.Rate(sample.CommittedPerSecond),9}/s  p50 "
        + $"{Figures.Milliseconds(sample.Latency.Percentile(50).TotalMilliseconds)} p99 "
        + $"{Figures.Milliseconds(sample.Latency.Percentile(99).TotalMilliseconds)} ms  {check.Description}");
}
