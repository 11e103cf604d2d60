namespace Polyjuice.Storage;

/// <summary>What is wrong at one place.</summary>
/// <param name="File">The segment or object, with the device's location.</param>
/// <param name="Offset">Where in it, in bytes.</param>
/// <param name="What">What is wrong there.</param>
/// <param name="IsTornTail">
/// Whether it is the end of an append that a crash interrupted: nothing that counts, and cut when the log is opened.
/// </param>
internal sealed record LogProblem(string File, long Offset, string What, bool IsTornTail);

/// <summary>What one partition's log looks like.</summary>
internal sealed class LogReport
{
    public required int Partition { get; init; }

    public int Segments { get; set; }

    public long Bytes { get; set; }

    /// <summary>The first batch that is there, and the one behind the last.</summary>
    public long First { get; set; }

    public long End { get; set; }

    public long Records { get; set; }

    public long? Checkpoint { get; set; }

    public long CheckpointBytes { get; set; }

    public long CheckpointRecords { get; set; }

    public List<LogProblem> Problems { get; } = [];

    public bool IsSound => Problems.TrueForAll(problem => problem.IsTornTail);
}
