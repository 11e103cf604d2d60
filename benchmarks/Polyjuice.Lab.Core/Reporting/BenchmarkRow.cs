using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Reporting;

/// <summary>
/// The figures of one arm over all rounds: medians, and the spread of the throughput. The names are those of the JSON
/// fields (in camelCase), which tools may rely on.
/// </summary>
public sealed record BenchmarkRow
{
    /// <summary>The workload's name.</summary>
    public required string Workload { get; init; }

    /// <summary>
    /// What ran transactions: "polyjuice", "orleans" (its own, with default time-outs), "orleans-100ms", or "plain".
    /// </summary>
    public string Engine { get; init; } = BenchmarkEngine.Polyjuice.Name;

    /// <summary>The policy's name, or the engine's where there is no policy.</summary>
    public required string Policy { get; init; }

    /// <summary>Skew.</summary>
    public required double Theta { get; init; }

    /// <summary>Number of silos.</summary>
    public required int Silos { get; init; }

    /// <summary>Clients of the closed loop; 0 for an open loop.</summary>
    public required int Clients { get; init; }

    /// <summary>Added latency of a message between nodes, one way, in milliseconds.</summary>
    public required double NetworkMs { get; init; }

    /// <summary>Added latency of a log append, in milliseconds.</summary>
    public required double AppendMs { get; init; }

    /// <summary>Acknowledged operations a second (median of the rounds).</summary>
    public required double CommittedPerSecond { get; init; }

    /// <summary>
    /// Processor time of this process, silos and clients, for each
    /// committed operation, in microseconds (median of the rounds).
    /// </summary>
    public double CpuMicrosecondsPerTransaction { get; init; }

    /// <summary>Bytes that this process allocated for each committed operation (median of the rounds).</summary>
    public double AllocatedBytesPerTransaction { get; init; }

    /// <summary>
    /// The share of the time in which garbage collections stopped all threads, 0 to 1 (median of the rounds).
    /// </summary>
    public double GcPauseShare { get; init; }

    /// <summary>Where logs were kept: "memory", "files", or the name of a server.</summary>
    public string Logs { get; init; } = "memory";

    /// <summary>
    /// Share of attempts that aborted, 0 to 1. Refusals by the application ("insufficient funds") do not count.
    /// </summary>
    public required double AbortedShare { get; init; }

    /// <summary>Median latency of acknowledged operations, retries included, in milliseconds.</summary>
    public required double P50Ms { get; init; }

    /// <summary>95th percentile of it.</summary>
    public required double P95Ms { get; init; }

    /// <summary>99th percentile of it.</summary>
    public required double P99Ms { get; init; }

    /// <summary>
    /// Operations a second of the plain twins, at the same skew in
    /// the same run; <see langword="null"/> when not measured.
    /// </summary>
    public double? PlainPerSecond { get; init; }

    /// <summary>The transaction tax: plain operations a second divided by transactions a second.</summary>
    public double? Tax { get; init; }

    /// <summary>
    /// Processor time of a plain operation, in microseconds, at the same
    /// skew in the same run; <see langword="null"/> when not measured.
    /// </summary>
    public double? PlainCpuMicroseconds { get; init; }

    /// <summary>
    /// The transaction tax in processor time: that of a transaction divided by that of a plain operation.
    /// </summary>
    public double? CpuTax { get; init; }

    /// <summary>Bytes between nodes per committed transaction.</summary>
    public required double BytesPerTransaction { get; init; }

    /// <summary>Messages between nodes per committed transaction.</summary>
    public required double MessagesPerTransaction { get; init; }

    /// <summary>Log appends per committed transaction; below 1 where batches are shared.</summary>
    public required double AppendsPerTransaction { get; init; }

    /// <summary>Bytes of log per committed transaction.</summary>
    public double LogBytesPerTransaction { get; init; }

    /// <summary>Checkpoints made, over all rounds.</summary>
    public long Checkpoints { get; init; }

    /// <summary>Latency that 1 in 1,000 exceeds.</summary>
    public double P999Ms { get; init; }

    /// <summary>Waits that ended by their deadline, over all rounds; expected to be 0.</summary>
    public required long WaitsEndedByDeadline { get; init; }

    /// <summary>The slowest round.</summary>
    public required double CommittedPerSecondMin { get; init; }

    /// <summary>The fastest round.</summary>
    public required double CommittedPerSecondMax { get; init; }

    /// <summary>
    /// Operations a second divided by those of the arm whose median is the highest at this skew, in the same round
    /// (median of the rounds). A machine that is slower for a while slows both, so this says more than two medians
    /// divided. <see langword="null"/> for grains without transactions, and with one round.
    /// </summary>
    public double? ShareOfBest { get; init; }

    /// <summary>The lowest such share of a round.</summary>
    public double? ShareOfBestMin { get; init; }

    /// <summary>The highest such share of a round.</summary>
    public double? ShareOfBestMax { get; init; }

    /// <summary>Rounds that were measured.</summary>
    public required int Repeat { get; init; }

    /// <summary>Measured seconds, over all rounds.</summary>
    public required double Seconds { get; init; }

    /// <summary>Offered operations a second of an open loop.</summary>
    public double? Rate { get; init; }

    /// <summary>Attempts beyond the first, per committed transaction.</summary>
    public required double RetriesPerTransaction { get; init; }

    /// <summary>Waits for other transactions, per committed transaction.</summary>
    public required double WaitsPerTransaction { get; init; }

    /// <summary>Attempts, over all rounds.</summary>
    public required long Attempts { get; init; }

    /// <summary>Aborted attempts by reason, over all rounds.</summary>
    public required IReadOnlyDictionary<string, long> AbortsByReason { get; init; }

    /// <summary>Acknowledged operations, over all rounds.</summary>
    public required long Committed { get; init; }

    /// <summary>Operations that the application refused.</summary>
    public required long Declined { get; init; }

    /// <summary>Operations that the system gave up after its retries.</summary>
    public required long GivenUp { get; init; }

    /// <summary>
    /// Operations that a silo turned away because it had as many as it could take, over all rounds: nothing of them
    /// has run.
    /// </summary>
    public long Overloaded { get; init; }

    /// <summary>Operations of unknown outcome.</summary>
    public required long InDoubt { get; init; }

    /// <summary>The operations by type, where the workload tells them apart.</summary>
    public IReadOnlyList<OperationRow> Operations { get; init; } = [];

    /// <summary>What the workload's sizes are.</summary>
    public string Sizes { get; init; } = "";

    /// <summary>Operations of an open loop that were due while too many were under way.</summary>
    public required long NotStarted { get; init; }

    /// <summary>Grains to choose from.</summary>
    public required int Accounts { get; init; }

    /// <summary>Of the clients' choices.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Where it was measured.</summary>
    public required string Machine { get; init; }

    internal static IReadOnlyList<BenchmarkRow> FromSamples(
        BenchmarkPlan plan, IReadOnlyDictionary<BenchmarkArm, List<IntervalSample>> samples)
    {
        var rows = new List<BenchmarkRow>();
        foreach (var (arm, intervals) in samples)
        {
            if (intervals.Count == 0
                || (arm.Engine == BenchmarkEngine.Plain && plan.Workload.HasTransactions
                    && !plan.Engines.Contains(BenchmarkEngine.Plain)))
                continue;
            var plain =
                samples.FirstOrDefault(
                    s => s.Key.Engine.Kind == BenchmarkEngineKind.Plain && IsUnderSameLoad(s.Key, arm)).Value;
            rows.Add(RowBuilder.Build(plan, arm, intervals, plain).Beside(BestBeside(arm, samples), intervals));
        }

        return rows;
    }

    // The arm's own intervals where it is the best, or what nothing is compared with.
    private static List<IntervalSample>? BestBeside(
        BenchmarkArm arm, IReadOnlyDictionary<BenchmarkArm, List<IntervalSample>> samples) =>
        arm.Engine.Kind == BenchmarkEngineKind.Plain ? null
        : samples.Where(
            one => one.Key.Theta == arm.Theta && one.Key.Engine.Kind != BenchmarkEngineKind.Plain
                && one.Value.Count > 0)
            .MaxBy(one => one.Value.Select(interval => interval.CommittedPerSecond).Median()).Value;

    private BenchmarkRow Beside(List<IntervalSample>? best, List<IntervalSample> own)
    {
        if (best is null || own.Count < 2) return this;

        // Intervals are in the order of their rounds, and what was cut short is missing at the end.
        var shares = own.Zip(best).Where(round => round.Second.CommittedPerSecond > 0)
            .Select(round => round.First.CommittedPerSecond / round.Second.CommittedPerSecond).ToList();
        if (shares.Count == 0) return this;
        var (median, least, most) = Spread.Of(shares);
        return this with { ShareOfBest = median, ShareOfBestMin = least, ShareOfBestMax = most };
    }

    private static bool IsUnderSameLoad(BenchmarkArm arm, BenchmarkArm other) =>
        arm.Theta == other.Theta && arm.Clients == other.Clients;
}
