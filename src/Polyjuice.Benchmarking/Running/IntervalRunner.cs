using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Workloads;

namespace Polyjuice.Benchmarking.Running;

/// <summary>Measures one arm for one interval.</summary>
internal static class IntervalRunner
{
    private static readonly TimeSpan _progressPeriod = TimeSpan.FromMilliseconds(250);

    /// <summary>Bound on an interval of a fixed number of operations.</summary>
    private static readonly TimeSpan _operationsMax = TimeSpan.FromSeconds(60);

    /// <summary>Bound on the time that operations under way get to end. Beyond it something hangs, which is worth a failure.</summary>
    private static readonly TimeSpan _drainMax = TimeSpan.FromSeconds(60);

    public static async Task<IntervalSample> RunAsync(
        BenchmarkPlan plan, BenchmarkArm arm, int round, IBenchmarkCluster cluster, IWorkload workload, IBenchmarkObserver observer, CancellationToken cancellationToken)
    {
        var interval = new LoadInterval(plan.OperationsPerInterval, plan.Workload.OperationTypes.Count);
        var before = cluster.Read();
        cluster.TakePauses();
        var load = cluster.RunOnClientAsync(() =>
        {
            // The seed names the round but not the policy: every policy meets the same choices.
            IWorkloadClient Client(int index) => workload.CreateClient(
                cluster.View,
                new ClientSettings(arm.Variant, arm.Theta, BenchmarkRandom.Derive(plan.Seed, ((ulong)round << 32) + (ulong)index), plan.Rate is null ? index : null));
            return plan.Rate is { } rate
                ? OpenLoop.RunAsync(Client(0), rate, new BenchmarkRandom(BenchmarkRandom.Derive(plan.Seed, ((ulong)round << 32) + uint.MaxValue)), interval)
                : ClosedLoop.RunAsync([.. Enumerable.Range(0, plan.Clients).Select(Client)], interval);
        });

        if (plan.OperationsPerInterval is not null)
        {
            using var cancelled = cancellationToken.Register(interval.End);
            await LoadPause.ForAsync(_operationsMax, Task.WhenAny(interval.LimitReached, load), cancellationToken);
            interval.End();
        }
        else
        {
            await LoadPause.ForAsync(plan.Warmup, load, cancellationToken);
            before = cluster.Read();
            cluster.TakePauses();
            interval.StartMeasuring();
            for (var left = plan.Measured; left > TimeSpan.Zero && !load.IsCompleted && !cancellationToken.IsCancellationRequested; left = plan.Measured - interval.MeasuredSoFar)
            {
                await LoadPause.ForAsync(left < _progressPeriod ? left : _progressPeriod, load, cancellationToken);
                observer.Progress(arm, interval.Committed, interval.MeasuredSoFar);
            }

            interval.End();
        }

        var after = cluster.Read();
        var pauses = cluster.TakePauses();
        try
        {
            await load.WaitAsync(_drainMax, CancellationToken.None);
        }
        catch (TimeoutException)
        {
            throw new InvalidOperationException(
                $"{interval.UnderWay} operations of arm {arm.Name} (θ = {arm.Theta}) did not end within {_drainMax.TotalSeconds:0} s.");
        }

        if (interval.Ended < plan.OperationsPerInterval && !cancellationToken.IsCancellationRequested)
        {
            throw new InvalidOperationException(
                $"Only {interval.Ended} of {plan.OperationsPerInterval} operations of arm {arm.Name} (θ = {arm.Theta}) ended within {_operationsMax.TotalSeconds:0} s.");
        }

        // With a fixed number of operations the counters and the operations are the same set; by time they differ by what is under way.
        if (plan.OperationsPerInterval is not null) after = cluster.Read();
        return interval.ToSample(after.Since(before), pauses);
    }
}
