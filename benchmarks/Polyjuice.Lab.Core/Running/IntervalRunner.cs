using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>Measures one arm for one interval.</summary>
internal static class IntervalRunner
{
    /// <summary>How often the observer hears, if the machine does not keep it from hearing.</summary>
    public static TimeSpan ProgressPeriod { get; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// In an interval of a fixed number of operations, in which clients
    /// do not pause for long: if none ends for so long, something hangs.
    /// </summary>
    private static readonly TimeSpan _standstillMax = TimeSpan.FromMinutes(2);

    /// <summary>
    /// Bound on the time that operations under way get to end. Beyond it something hangs, which is worth a failure.
    /// </summary>
    private static readonly TimeSpan _drainMax = TimeSpan.FromMinutes(2);

    public static async Task<IntervalSample> RunAsync(
        BenchmarkPlan plan, BenchmarkArm arm, int round, IBenchmarkCluster cluster, IWorkload workload,
        IBenchmarkObserver observer, CancellationToken cancellationToken)
    {
        var interval = new LoadInterval(plan.OperationsPerInterval, plan.Workload.OperationTypes.Count);
        var before = cluster.Read();
        var usedBefore = ProcessUse.Read();
        var load = cluster.RunOnClientAsync(() =>
        {
            // The seed names the round but not the policy: every policy meets the same choices.
            IWorkloadClient Client(int index) => workload.CreateClient(
                cluster.View,
                new ClientSettings(
                    arm.Variant,
                    arm.Theta,
                    BenchmarkRandom.Derive(plan.Seed, ((ulong)round << 32) + (ulong)index),
                    plan.Rate is null ? index : null));
            return plan.Rate is { } rate
                ? OpenLoop.RunAsync(
                    Client(0),
                    rate,
                    new BenchmarkRandom(BenchmarkRandom.Derive(plan.Seed, ((ulong)round << 32) + uint.MaxValue)),
                    interval)
                : ClosedLoop.RunAsync([.. Enumerable.Range(0, arm.Clients ?? plan.Clients).Select(Client)], interval);
        });

        if (plan.OperationsPerInterval is not null)
        {
            using var cancelled = cancellationToken.Register(interval.End);
            var over = Task.WhenAny(interval.LimitReached, load);
            for (var ended = -1L; ended < interval.Ended && !over.IsCompleted
                && !cancellationToken.IsCancellationRequested;)
            {
                ended = interval.Ended;
                await LoadPause.ForAsync(_standstillMax, over, cancellationToken);
            }

            interval.End();
        }
        else
        {
            await LoadPause.ForAsync(plan.Warmup, load, cancellationToken);
            before = cluster.Read();
            usedBefore = ProcessUse.Read();
            interval.StartMeasuring();
            for (var left = plan.Measured; left > TimeSpan.Zero && !load.IsCompleted
                && !cancellationToken.IsCancellationRequested; left = plan.Measured
                    + observer.Delay - interval.MeasuredSoFar)
            {
                await LoadPause.ForAsync(left < ProgressPeriod ? left : ProgressPeriod, load, cancellationToken);
                observer.Progress(arm, interval.Committed, interval.MeasuredSoFar);
            }

            interval.End();
        }

        var after = cluster.Read();
        var used = ProcessUse.Read().Since(usedBefore);
        try
        {
            await load.WaitAsync(_drainMax, CancellationToken.None);
        }
        catch (TimeoutException)
        {
            throw new InvalidOperationException(
                $"{interval.UnderWay} operations of arm {arm.Label} (θ = {arm.Theta}) did not end within "
                + $"{_drainMax.TotalSeconds:0} s.");
        }

        if (interval.Ended < plan.OperationsPerInterval && !cancellationToken.IsCancellationRequested)
        {
            throw new InvalidOperationException(
                $"Only {interval.Ended} of {plan.OperationsPerInterval} operations of arm {arm.Label} (θ = "
                + $"{arm.Theta}) ended, and none in the last {_standstillMax.TotalSeconds:0} s.");
        }

        // With a fixed number of operations the counters and the operations
        // are the same set; by time they differ by what is under way.
        if (plan.OperationsPerInterval is not null) after = cluster.Read();
        return interval.ToSample(after.Since(before), used);
    }
}
