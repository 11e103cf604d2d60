using System.Diagnostics;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Hunts;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Cli.Checking;

/// <summary>
/// Runs seeds, or what a hunt chooses, on as many threads as wanted,
/// one run per thread at a time, until one fails or there are no more.
/// </summary>
internal sealed class CheckRunner(CheckPlan plan, CancellationToken cancellation)
{
    private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan SlowAfter = TimeSpan.FromSeconds(30);

    private readonly Lock _gate = new();
    private readonly RunSummary _summary = new();
    private readonly Dictionary<RunCase, TimeSpan> _underWay = new(ReferenceEqualityComparer.Instance);
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private readonly Hunt? _hunt = plan.IsGuided
        ? new Hunt(plan.From, plan.Case, Shapes.Families(plan.Case.Shape), plan.Suits)
        : null;
    private int _begun;
    private int _next = -1;
    private volatile bool _stops;
    private CheckFailure? _failure;

    /// <summary>Runs. Cancelling ends it with what there is so far.</summary>
    /// <param name="progress">Gets a line every few seconds, and one about each run that goes on for very long.</param>
    /// <param name="policy">As it was given, for such a line.</param>
    public CheckResult Run(Action<string> progress, string policy)
    {
        var processor = Process.GetCurrentProcess().TotalProcessorTime;
        var threads = Enumerable.Range(0, plan.Jobs)
            .Select(_ => new Thread(Work, maxStackSize: 16 << 20) { IsBackground = true }).ToArray();
        foreach (var thread in threads) thread.Start();
        var shown = _watch.Elapsed;
        foreach (var thread in threads)
        {
            while (!thread.Join(TimeSpan.FromMilliseconds(200)))
            {
                if (_watch.Elapsed - shown < ProgressEvery) continue;
                shown = _watch.Elapsed;
                foreach (var slow in TakeSlow())
                    progress(
                        $"seed {slow.Seed} takes longer than {SlowAfter.TotalSeconds:F0} s: "
                        + $"{CheckReport.Replay(slow, policy)}");
                lock (_gate)
                    progress(
                        $"{_watch.Elapsed.TotalSeconds,6:F0} s: {_summary.Runs:N0} of {plan.Seeds:N0} seeds, "
                        + $"{_summary.Committed:N0} of {_summary.Transactions:N0} transactions committed");
            }
        }

        return new CheckResult(
            _summary,
            _failure,
            cancellation.IsCancellationRequested,
            _watch.Elapsed,
            Process.GetCurrentProcess().TotalProcessorTime - processor);
    }

    private void Work()
    {
        while (!_stops && !cancellation.IsCancellationRequested && _watch.Elapsed < plan.TimeMax)
        {
            if (Interlocked.Increment(ref _begun) > plan.Seeds) return;
            var (run, number) = Next();
            FeatureSet? features = null;
            lock (_gate) _underWay[run] = _watch.Elapsed;
            try
            {
                var result = Simulator.Run(
                    run, keep: plan.History is { } file ? history => file.Write(run.Seed, history) : null);
                if (number % plan.TwiceEvery == 0) RunAgain(run, result);
                features = result.Features;
                lock (_gate) _summary.Add(run.Seed, result);
            }
            catch (SimulationFailedException e)
            {
                _stops = true;
                lock (_gate)
                {
                    if (_failure is null || number < _failure.Number) _failure = new CheckFailure(number, run, e);
                }
            }
            finally
            {
                lock (_gate) _underWay.Remove(run);
                _hunt?.Report(number, run, features);
            }
        }
    }

    /// <summary>Runs that go on for long, each told once: who ends the check sees which one it was.</summary>
    private List<RunCase> TakeSlow()
    {
        lock (_gate)
        {
            List<RunCase> slow =
            [
                .. _underWay.Where(run => _watch.Elapsed - run.Value >= SlowAfter).Select(run => run.Key)
            ];
            foreach (var run in slow) _underWay.Remove(run);
            return slow;
        }
    }

    private (RunCase Run, int Number) Next()
    {
        if (_hunt is not null)
        {
            var chosen = _hunt.Next(out var number);
            return (chosen, number);
        }

        var next = Interlocked.Increment(ref _next);
        return (plan.Case with { Seed = plan.From + (ulong)next }, next);
    }

    private void RunAgain(RunCase run, RunResult first)
    {
        var second = Simulator.Run(run);
        if (second.Digest == first.Digest && second.Events == first.Events) return;
        throw new SimulationFailedException(
            "nondeterminism",
            $"two runs of one seed differ: digests {first.Digest:x16} and {second.Digest:x16}, {first.Events} and "
            + $"{second.Events} events");
    }
}
