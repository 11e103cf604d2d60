using System.Diagnostics.Metrics;

namespace Polyjuice.Diagnostics;

/// <summary>
/// The buckets that histograms advise whoever collects them to take. The usual ones are made for milliseconds, and have
/// nothing between 0 and 5 seconds.
/// </summary>
internal static class Buckets
{
    /// <summary>
    /// Seconds that a transaction takes: from well below a millisecond to the time that callers wait.
    /// </summary>
    public static InstrumentAdvice<double> Transactions { get; } = Of(
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30);

    /// <summary>Seconds of a wait or an append, which are parts of a transaction.</summary>
    public static InstrumentAdvice<double> Parts { get; } = Of(
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10);

    /// <summary>Bytes of an append: from one record to a full batch.</summary>
    public static InstrumentAdvice<long> Bytes { get; } = Of<long>(
        256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304);

    /// <summary>Transactions in a row, of which many are rare.</summary>
    public static InstrumentAdvice<int> Chains { get; } = Of(0, 1, 2, 4, 8, 16, 32, 64, 128, 256);

    /// <summary>Attempts: two at least, where they are counted.</summary>
    public static InstrumentAdvice<int> Attempts { get; } = Of(2, 3, 4, 5, 8, 12, 20, 50);

    private static InstrumentAdvice<T> Of<T>(params T[] boundaries) where T : struct =>
        new() { HistogramBucketBoundaries = boundaries };
}
