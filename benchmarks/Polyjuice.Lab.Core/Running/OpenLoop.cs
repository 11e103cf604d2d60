using System.Diagnostics;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>
/// Operations that arrive at a rate (a Poisson process), whether or not earlier ones have ended. Latency counts from
/// the moment when an operation was due, so that a stall is charged to all that it delays. Arrivals are released every
/// millisecond, which is therefore the resolution of short latencies.
/// </summary>
internal static class OpenLoop
{
    /// <summary>Operations under way at the most; what is due beyond that is counted as not started.</summary>
    private const int UnderWayMax = 10_000;

    private static readonly TimeSpan _releasePeriod = TimeSpan.FromMilliseconds(1);

    /// <summary>Runs until the interval is over and every operation has ended. On the clients' thread.</summary>
    /// <param name="client">Makes all operations.</param>
    /// <param name="ratePerSecond">Greater than 0.</param>
    /// <param name="random">Of the arrivals.</param>
    /// <param name="interval">Counts.</param>
    public static async Task RunAsync(
        IWorkloadClient client, double ratePerSecond, BenchmarkRandom random, LoadInterval interval)
    {
        var meanGap = Stopwatch.Frequency / ratePerSecond;
        var due = Stopwatch.GetTimestamp() + random.NextExponential(meanGap);
        var underWay = 0;
        Exception? failure = null;
        var drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        while (!interval.IsOver)
        {
            for (var now = Stopwatch.GetTimestamp(); due <= now; due += random.NextExponential(meanGap))
            {
                if (underWay >= UnderWayMax) interval.CountNotStarted();
                else if (interval.TryStart()) _ = OneAsync((long)due);
                else break;
            }

            await Task.Delay(_releasePeriod);
        }

        if (underWay > 0) await drained.Task;
        if (failure is not null)
            throw new InvalidOperationException("An operation of the open loop failed: " + failure.Message, failure);

        async Task OneAsync(long intendedStart)
        {
            underWay++;
            try
            {
                var operation = client.Choose();
                var outcome = await operation.RunAsync();
                interval.Count(operation.Type, outcome, Stopwatch.GetElapsedTime(intendedStart));
            }
            catch (Exception e)
            {
                failure ??= e;
                interval.End();
            }

            if (--underWay == 0 && interval.IsOver) drained.TrySetResult();
        }
    }
}
