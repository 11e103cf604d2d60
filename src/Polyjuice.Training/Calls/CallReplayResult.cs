using Polyjuice.Contracts;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Calls;

/// <summary>What a replay of calls came to. Immutable.</summary>
internal sealed record CallReplayResult
{
    /// <summary>Transactions of the trace that were to be made again.</summary>
    public required int Recorded { get; init; }

    /// <summary>From the first call to the end of the last one.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>
    /// Calls by method and how they ended, in the order in which the
    /// trace has introduced the methods; only those that were made.
    /// </summary>
    public required IReadOnlyList<CallMethodCounts> Methods { get; init; }

    /// <summary>
    /// What was not made, and why: the method's name and what is wrong with it. Nothing is left out without a reason
    /// here, but for what a cancelled replay did not get to.
    /// </summary>
    public required IReadOnlyDictionary<string, int> NotMade { get; init; }

    /// <summary>What a cancelled replay did not get to.</summary>
    public required int NotReached { get; init; }

    /// <summary>
    /// Why calls did not commit in the end: the application's exceptions, and reasons for which the system gave up.
    /// </summary>
    public required IReadOnlyDictionary<string, int> Reasons { get; init; }

    /// <summary>
    /// Aborted attempts by reason, the runtime's own retries included; empty if the target does not tell.
    /// </summary>
    public required IReadOnlyDictionary<AbortReason, long> AbortsByReason { get; init; }

    /// <summary>How often calls that the system had given up were made again.</summary>
    public required int Repeats { get; init; }

    /// <summary>
    /// Calls that were made later than they were due by more than <see cref="CallReplayOptions.LateAfter"/>.
    /// </summary>
    public required int Late { get; init; }

    /// <summary>How late the latest was; zero in a closed loop.</summary>
    public required TimeSpan LatestBy { get; init; }

    /// <summary>
    /// How long committed calls took, repeats included, in ascending order:
    /// in a closed loop since they were made, otherwise since they were due.
    /// </summary>
    public required IReadOnlyList<TimeSpan> Latencies { get; init; }

    /// <summary>Calls that were made and have ended.</summary>
    public int Made => Methods.Sum(method => method.Made);

    /// <summary>Those that committed.</summary>
    public int Committed => Count(CallOutcome.Committed);

    /// <summary>Committed calls a second.</summary>
    public double CommittedPerSecond => Elapsed > TimeSpan.Zero ? Committed / Elapsed.TotalSeconds : 0;

    /// <summary>How many ended like that.</summary>
    /// <param name="outcome">How the calls ended.</param>
    public int Count(CallOutcome outcome) => Methods.Sum(method => method.Of(outcome));

    /// <summary>The latency that a share of the committed calls does not exceed; zero when there is none.</summary>
    /// <param name="percentile">0 to 100.</param>
    public TimeSpan Percentile(double percentile)
    {
        if (!(percentile is >= 0 and <= 100))
            throw new ArgumentOutOfRangeException(
                nameof(percentile), percentile, "A percentile is a number from 0 to 100.");
        return Latencies.Count == 0
            ? TimeSpan.Zero
            : Latencies[Math.Max(0, (int)Math.Ceiling(Latencies.Count * percentile / 100) - 1)];
    }
}

/// <summary>The calls of one method.</summary>
/// <param name="Method">Which.</param>
/// <param name="Committed">Committed.</param>
/// <param name="Refused">Ended by the application's own exceptions.</param>
/// <param name="GivenUp">Given up by the system, after all repeats.</param>
/// <param name="InDoubt">Nobody knows.</param>
internal sealed record CallMethodCounts(TracedMethod Method, int Committed, int Refused, int GivenUp, int InDoubt)
{
    /// <summary>All of them.</summary>
    public int Made => Committed + Refused + GivenUp + InDoubt;

    /// <summary>How many ended like that.</summary>
    /// <param name="outcome">How the calls ended.</param>
    public int Of(CallOutcome outcome) => outcome switch
    {
        CallOutcome.Committed => Committed,
        CallOutcome.Refused => Refused,
        CallOutcome.GivenUp => GivenUp,
        CallOutcome.InDoubt => InDoubt,
        _ => throw new ArgumentOutOfRangeException(nameof(outcome), outcome, "There is no such outcome."),
    };
}

/// <summary>A call that was made again and has ended.</summary>
/// <param name="Transaction">Which of the trace's transactions, from 0.</param>
/// <param name="End">How it has ended.</param>
/// <param name="Latency">As <see cref="CallReplayResult.Latencies"/> counts.</param>
internal readonly record struct ReplayedCall(int Transaction, CallEnd End, TimeSpan Latency);
