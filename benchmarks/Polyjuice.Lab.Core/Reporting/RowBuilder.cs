using System.Runtime.InteropServices;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Waits;

namespace Polyjuice.Lab.Reporting;

/// <summary>Condenses an arm's intervals.</summary>
internal static class RowBuilder
{
    /// <summary>Where this process runs, as far as it matters for figures.</summary>
    public static string Machine { get; } =
        $"{Environment.ProcessorCount} cores, {RuntimeInformation.OSArchitecture}, "
        + $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSDescription}";

    public static BenchmarkRow Build(
        BenchmarkPlan plan, BenchmarkArm arm, IReadOnlyList<IntervalSample> intervals,
        IReadOnlyList<IntervalSample>? plain)
    {
        var committed = intervals.Select(i => i.CommittedPerSecond).Median();
        var cpu = intervals.Select(CpuMicroseconds).Median();
        var hasTax = plan.Workload.ReportsTax && plain is { Count: > 0 }
            && arm.Engine.Kind != BenchmarkEngineKind.Plain;
        double? plainPerSecond = hasTax ? plain!.Select(i => i.CommittedPerSecond).Median() : null;
        double? plainCpu = hasTax ? plain!.Select(CpuMicroseconds).Median() : null;
        return new BenchmarkRow
        {
            Workload = plan.Workload.Name,
            Engine = arm.Engine.Name,
            Policy = arm.Name,
            Theta = arm.Theta,
            Silos = plan.Shape.Silos,
            Clients = plan.Rate is null ? arm.Clients ?? plan.Clients : 0,
            NetworkMs = plan.Shape.NetworkLatency.TotalMilliseconds,
            AppendMs = plan.Shape.AppendLatency.TotalMilliseconds,
            CommittedPerSecond = Round(committed),
            CpuMicrosecondsPerTransaction = Round(cpu),
            AllocatedBytesPerTransaction = Round(
                intervals.Select(i => PerTransaction(i, i.Use.AllocatedBytes)).Median()),
            GcPauseShare = Round(
                intervals.Select(i => i.Elapsed > TimeSpan.Zero ? i.Use.CollectionPauses / i.Elapsed : 0).Median()),
            Logs = plan.Shape.Logs?.Name ?? (plan.Shape.DataFolder is null ? "memory" : "files"),
            AbortedShare = Round(intervals.Select(AbortedShare).Median()),
            P50Ms = Round(intervals.Select(i => i.Latency.Percentile(50).TotalMilliseconds).Median()),
            P95Ms = Round(intervals.Select(i => i.Latency.Percentile(95).TotalMilliseconds).Median()),
            P99Ms = Round(intervals.Select(i => i.Latency.Percentile(99).TotalMilliseconds).Median()),
            PlainPerSecond = plainPerSecond is { } p ? Round(p) : null,
            Tax = plainPerSecond > 0 && committed > 0 ? Round(plainPerSecond.Value / committed) : null,
            PlainCpuMicroseconds = plainCpu is { } c ? Round(c) : null,
            CpuTax = plainCpu > 0 && cpu > 0 ? Round(cpu / plainCpu.Value) : null,
            BytesPerTransaction = Round(intervals.Select(i => PerTransaction(i, i.Counters.Bytes)).Median()),
            MessagesPerTransaction = Round(intervals.Select(i => PerTransaction(i, i.Counters.Messages)).Median()),
            AppendsPerTransaction = Round(intervals.Select(i => PerTransaction(i, i.Counters.Appends)).Median()),
            LogBytesPerTransaction = Round(intervals.Select(i => PerTransaction(i, i.Counters.AppendBytes)).Median()),
            Checkpoints = intervals.Sum(i => i.Counters.Checkpoints),
            P999Ms = Round(intervals.Select(i => i.Latency.Percentile(99.9).TotalMilliseconds).Median()),
            WaitsEndedByDeadline = intervals.Sum(i => i.Counters.WaitsEndedByDeadline),
            CommittedPerSecondMin = Round(intervals.Min(i => i.CommittedPerSecond)),
            CommittedPerSecondMax = Round(intervals.Max(i => i.CommittedPerSecond)),
            Repeat = intervals.Count,
            Seconds = Round(intervals.Sum(i => i.Elapsed.TotalSeconds)),
            Rate = plan.Rate,
            RetriesPerTransaction = Round(intervals.Select(i => PerTransaction(i, SystemAborts(i))).Median()),
            WaitsPerTransaction = Round(intervals.Select(i => PerTransaction(i, i.Counters.Waits)).Median()),
            Attempts = intervals.Sum(i => i.Counters.Attempts),
            AbortsByReason = SumReasons(intervals),
            Committed = intervals.Sum(i => i.Committed),
            Declined = intervals.Sum(i => i.Declined),
            GivenUp = intervals.Sum(i => i.Aborted),
            Overloaded = intervals.Sum(i => i.Overloaded),
            InDoubt = intervals.Sum(i => i.InDoubt),
            Operations = OperationRow.Of(plan.Workload, intervals),
            Sizes = plan.Workload.Describe(plan.Parameters),
            NotStarted = intervals.Sum(i => i.NotStarted),
            Accounts = plan.Parameters.Accounts,
            Seed = plan.Seed,
            Machine = Machine,
        };
    }

    private static double AbortedShare(IntervalSample interval) =>
        interval.Counters.Attempts > 0 ? Math.Min(1, (double)SystemAborts(interval) / interval.Counters.Attempts) : 0;

    /// <summary>What the application asked for itself is not the system's abort.</summary>
    private static long SystemAborts(IntervalSample interval) =>
        interval.Counters.AbortsByReason.Where(a => a.Key != nameof(AbortReason.UserException)).Sum(a => a.Value);

    private static double CpuMicroseconds(IntervalSample interval) =>
        interval.Use.Processor.TotalMicroseconds / Math.Max(1, interval.Committed);

    private static double PerTransaction(IntervalSample interval, long count) =>
        (double)count / Math.Max(1, interval.Committed);

    private static SortedDictionary<string, long> SumReasons(IReadOnlyList<IntervalSample> intervals)
    {
        var sum = new SortedDictionary<string, long>(StringComparer.Ordinal);
        foreach (var (reason, count) in intervals.SelectMany(i => i.Counters.AbortsByReason))
        {
            if (count > 0) sum[reason] = sum.GetValueOrDefault(reason) + count;
        }

        return sum;
    }

    private static double Round(double value) => Math.Round(value, 4);
}
