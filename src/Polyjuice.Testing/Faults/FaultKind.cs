namespace Polyjuice.Testing;

/// <summary>What a fault script does.</summary>
public enum FaultKind
{
    /// <summary>A silo crashes; another one takes its place when the fault ends.</summary>
    Crash,

    /// <summary>A silo stands still until the fault ends. The others do not notice.</summary>
    Pause,

    /// <summary>
    /// A silo stands still, the others take it for dead and take over; it
    /// goes on when the fault ends, stops, and another one takes its place.
    /// </summary>
    Deposition,

    /// <summary>A silo leaves in good order; another one joins when the fault ends.</summary>
    Leave,

    /// <summary>Two silos' engines do not hear each other.</summary>
    Partition,

    /// <summary>One silo's engines do not hear another's, which hear them.</summary>
    OneWayPartition,

    /// <summary>All connections between two processes break at once. New ones are made.</summary>
    Disconnection,

    /// <summary>Engines' batches get lost.</summary>
    BatchLoss,

    /// <summary>Engines' batches come twice.</summary>
    BatchDuplication,

    /// <summary>Engines' batches overtake each other.</summary>
    BatchReordering,

    /// <summary>Messages between processes take longer.</summary>
    NetworkDelay,

    /// <summary>One silo's appends take longer.</summary>
    AppendDelay,

    /// <summary>
    /// Some of one silo's appends fail: before they are written, after, or with the write yet to come.
    /// </summary>
    AppendFailure,

    /// <summary>One silo finds the disk full.</summary>
    FullDisk,
}
