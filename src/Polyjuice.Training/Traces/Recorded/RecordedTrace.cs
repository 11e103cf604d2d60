namespace Polyjuice.Training.Traces;

/// <summary>
/// What several silos have recorded, put together as it comes; <see cref="TraceMerger"/> makes a trace of it.
/// </summary>
internal sealed class RecordedTrace
{
    private bool? _isHashed;

    public RecordedNames Names { get; } = new();

    public List<RecordedAccess> Accesses { get; } = [];

    /// <summary>The last attempts at transactions. Others are counted only.</summary>
    public List<RecordedAttempt> LastAttempts { get; } = [];

    /// <summary>The calls of those of <see cref="LastAttempts"/> that have some.</summary>
    public List<TraceCall> Calls { get; } = [];

    /// <summary>States at the begin of windows, if they were recorded. Their times are of the clock.</summary>
    public List<TraceState> States { get; } = [];

    /// <summary>How arguments of calls are encoded; empty if no file has calls.</summary>
    public string ArgumentEncoding { get; private set; } = "";

    public long Attempts { get; set; }

    /// <summary>What was covered, by silo.</summary>
    public SortedDictionary<int, SiloCover> Covers { get; } = [];

    /// <summary>How far apart the starts of windows are, and how long they are, in microseconds.</summary>
    public (long Period, long Length) Grid { get; private set; }

    /// <summary>Says of which windows a file is.</summary>
    /// <exception cref="TraceFormatException">Other files are of other windows.</exception>
    public void SetGrid((long Period, long Length) grid, string file)
    {
        if (Grid != default && Grid != grid)
            throw new TraceFormatException(
                $"{file} was recorded in windows of {grid.Length} µs every {grid.Period} µs, and the others in windows "
                + $"of {Grid.Length} µs every {Grid.Period} µs: they do not go together.");
        Grid = grid;
    }

    /// <summary>Says whether a file's keys are hashed.</summary>
    /// <exception cref="TraceFormatException">Those of other files are not, or are.</exception>
    public void SetHashed(bool isHashed, string file)
    {
        if (_isHashed is { } known && known != isHashed)
            throw new TraceFormatException(
                $"The keys of {file} are {(isHashed ? "hashed" : "plain")}, and those of the others are not: nobody "
                + "can tell which grains are the same.");
        _isHashed = isHashed;
    }

    /// <summary>Says how a file's calls have their arguments.</summary>
    /// <exception cref="TraceFormatException">Those of other files have theirs otherwise.</exception>
    public void SetArgumentEncoding(string encoding, string file)
    {
        if (ArgumentEncoding.Length > 0 && ArgumentEncoding != encoding)
            throw new TraceFormatException(
                $"The arguments of calls in {file} are encoded as {encoding}, and those in the others as "
                + $"{ArgumentEncoding}: they do not go together.");
        ArgumentEncoding = encoding;
    }

    /// <summary>A silo's recording has ended in good order; nothing happened since its last chunk.</summary>
    public void End(int silo, long until, long droppedRecords, long droppedWindows)
    {
        var last = Covers.TryGetValue(silo, out var cover) ? cover.Spans.Max(span => span.Until) : until;
        Cover(silo, new RecordedSpan(last, Math.Max(last, until)), 0, 0, droppedRecords, droppedWindows);
    }

    public void Cover(int silo, RecordedSpan span, long busy, int accesses, long droppedRecords, long droppedWindows)
    {
        if (!Covers.TryGetValue(silo, out var cover)) Covers.Add(silo, cover = new SiloCover());
        cover.Spans.Add(span);
        cover.Busy += busy;
        cover.Accesses += accesses;
        cover.DroppedRecords += droppedRecords;
        cover.DroppedWindows += droppedWindows;
    }
}

/// <summary>What one silo has covered.</summary>
internal sealed class SiloCover
{
    public List<RecordedSpan> Spans { get; } = [];

    public long Busy { get; set; }

    public long Accesses { get; set; }

    public long DroppedRecords { get; set; }

    public long DroppedWindows { get; set; }
}
