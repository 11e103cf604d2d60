using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Reporting;

/// <summary>
/// The figures of one type of operation in one arm: rates and
/// latencies are medians of the rounds, counts are over all rounds.
/// </summary>
public sealed record OperationRow
{
    /// <summary>The type's name.</summary>
    public required string Operation { get; init; }

    /// <summary>Acknowledged operations a second.</summary>
    public required double CommittedPerSecond { get; init; }

    /// <summary>What the commits per minute are called, if they are a figure of their own ("tpmC").</summary>
    public string? PerMinuteName { get; init; }

    /// <summary>The commits per minute, if they are a figure of their own.</summary>
    public double? PerMinute { get; init; }

    /// <summary>Median latency of acknowledged operations, retries included, in milliseconds.</summary>
    public required double P50Ms { get; init; }

    /// <summary>90th percentile of it.</summary>
    public required double P90Ms { get; init; }

    /// <summary>99th percentile of it.</summary>
    public required double P99Ms { get; init; }

    /// <summary>Acknowledged operations.</summary>
    public required long Committed { get; init; }

    /// <summary>Operations that the application refused.</summary>
    public required long Declined { get; init; }

    /// <summary>Operations that the system gave up after its retries.</summary>
    public required long GivenUp { get; init; }

    /// <summary>Operations of unknown outcome.</summary>
    public required long InDoubt { get; init; }

    /// <summary>Attempts that the system aborted; most of them are tried again.</summary>
    public required long Aborts { get; init; }

    /// <summary>Those, as a share of all ended attempts: 0 to 1.</summary>
    public required double AbortedShare { get; init; }

    internal static IReadOnlyList<OperationRow> Of(
        WorkloadDefinition workload, IReadOnlyList<IntervalSample> intervals) =>
        [
            .. workload.OperationTypes.Select(
                (type, index) => Of(type, index, [.. intervals.Where(interval => interval.ByType.Count > index)]))
        ];

    private static OperationRow Of(OperationType type, int index, IReadOnlyList<IntervalSample> intervals)
    {
        double Latency(double percentile) => Math.Round(
            intervals.Select(i => i.ByType[index].Latency.Percentile(percentile).TotalMilliseconds).Median(), 4);
        long Sum(OperationOutcome outcome) => intervals.Sum(i => i.ByType[index][outcome]);

        var rate = intervals.Select(
            i => i.Elapsed > TimeSpan.Zero ? i.ByType[index][OperationOutcome.Committed] / i.Elapsed.TotalSeconds : 0)
            .Median();
        var attempts = intervals.Sum(i => i.Counters.AttemptsByType.GetValueOrDefault(type.TransactionType));
        var aborts = intervals.Sum(i => i.Counters.AbortsByType.GetValueOrDefault(type.TransactionType));
        return new OperationRow
        {
            Operation = type.Name,
            CommittedPerSecond = Math.Round(rate, 4),
            PerMinuteName = type.PerMinuteName,
            PerMinute = type.PerMinuteName is null ? null : Math.Round(rate * 60, 1),
            P50Ms = Latency(50),
            P90Ms = Latency(90),
            P99Ms = Latency(99),
            Committed = Sum(OperationOutcome.Committed),
            Declined = Sum(OperationOutcome.Declined),
            GivenUp = Sum(OperationOutcome.Aborted),
            InDoubt = Sum(OperationOutcome.InDoubt),
            Aborts = aborts,
            AbortedShare = attempts > 0 ? Math.Round((double)aborts / attempts, 4) : 0,
        };
    }
}
