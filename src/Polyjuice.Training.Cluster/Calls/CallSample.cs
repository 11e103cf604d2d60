namespace Polyjuice.Training.Cluster.Calls;

/// <summary>What calls came to that were made again for some time. Immutable.</summary>
/// <param name="Committed">Calls that committed meanwhile.</param>
/// <param name="Refused">Calls that the application's own exceptions ended.</param>
/// <param name="Failed">Calls that were given up after all repeats, or nobody knows of.</param>
/// <param name="Elapsed">How long it was measured.</param>
/// <param name="Processor">Processor time of this process meanwhile: silos, client and all.</param>
/// <param name="P99">The 99th percentile of the latency of what committed, as clients see it.</param>
internal sealed record CallSample(
    int Committed, int Refused, int Failed, TimeSpan Elapsed, TimeSpan Processor, TimeSpan P99)
{
    /// <summary>
    /// Why calls did not commit: exceptions' classes and reasons of the system, with how many there were.
    /// </summary>
    public IReadOnlyDictionary<string, int> Reasons { get; init; } = new Dictionary<string, int>();

    /// <summary>Committed calls a second.</summary>
    public double CommittedPerSecond => Elapsed > TimeSpan.Zero ? Committed / Elapsed.TotalSeconds : 0;

    /// <summary>Processor time for a committed call, in microseconds; 0 if there was none.</summary>
    public double ProcessorMicroseconds => Committed > 0 ? Processor.TotalMicroseconds / Committed : 0;

    /// <summary>What share of all that ended the application refused.</summary>
    public double RefusedShare => Committed + Refused + Failed is > 0 and var all ? (double)Refused / all : 0;
}
