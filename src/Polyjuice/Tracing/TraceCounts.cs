namespace Polyjuice.Tracing;

/// <summary>What a recorder has done so far.</summary>
/// <param name="Attempts">Attempts that were recorded.</param>
/// <param name="Accesses">Accesses that were recorded.</param>
/// <param name="DroppedRecords">
/// Attempts and accesses that were not, although they were
/// within a window: there was no free chunk, or the sink failed.
/// </param>
/// <param name="DroppedWindows">Windows of which a part was dropped.</param>
/// <param name="Files">Files that were begun.</param>
/// <param name="Bytes">Bytes that were written.</param>
internal readonly record struct TraceCounts(
    long Attempts, long Accesses, long DroppedRecords, long DroppedWindows, long Files, long Bytes)
{
    /// <summary>Calls that were recorded whole, if calls are recorded at all.</summary>
    public long Calls { get; init; }

    /// <summary>Calls whose arguments were too large, or could not be encoded.</summary>
    public long DroppedCalls { get; init; }

    /// <summary>Bytes of recorded arguments, before they were compressed.</summary>
    public long ArgumentBytes { get; init; }

    /// <summary>
    /// States that were recorded, if states are recorded at all:
    /// each once in each window; those that were never written, too.
    /// </summary>
    public long States { get; init; }

    /// <summary>
    /// States that were too large, could not be encoded, or were forgotten before they could be recorded.
    /// </summary>
    public long DroppedStates { get; init; }

    /// <summary>Bytes of recorded states, before they were compressed.</summary>
    public long StateBytes { get; init; }

    /// <summary>The counts of both.</summary>
    internal TraceCounts With(TraceCounts other) => new(
        Attempts + other.Attempts, Accesses + other.Accesses, DroppedRecords + other.DroppedRecords,
        DroppedWindows + other.DroppedWindows, Files + other.Files, Bytes + other.Bytes)
    {
        Calls = Calls + other.Calls,
        DroppedCalls = DroppedCalls + other.DroppedCalls,
        ArgumentBytes = ArgumentBytes + other.ArgumentBytes,
        States = States + other.States,
        DroppedStates = DroppedStates + other.DroppedStates,
        StateBytes = StateBytes + other.StateBytes,
    };
}
