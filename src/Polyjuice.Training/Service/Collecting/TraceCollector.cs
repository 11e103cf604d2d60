using Polyjuice.Tracing;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service.Collecting;

/// <summary>
/// Follows the files that silos write, and gives window after window once nobody writes anything of it any more: when
/// each silo that records has begun a file behind it. A file is read when its window is, once; only one that spans
/// several windows (<see cref="TraceRecorderOptions.FilePeriodMicroseconds"/> is not set) is read for each of them.
/// What can't be used is passed over, and named once. Nothing is deleted unless
/// <see cref="TraceCollectorOptions.KeepFor"/> says so.
/// </summary>
/// <remarks>One window's files are in memory at a time. Not thread-safe.</remarks>
internal sealed class TraceCollector
{
    /// <summary>
    /// The part of a window by which a file may begin before a window's start and still be of that window alone:
    /// recorders hand chunks over now and then, and the next begins where the last has ended.
    /// </summary>
    private const int SlackPart = 50;

    private readonly ITraceSource _source;
    private readonly WindowGrid _grid;
    private readonly TraceCollectorOptions _options;
    private readonly TimeProvider _time;
    private readonly long _slack;
    private readonly SortedDictionary<(string Recording, int Number), PendingFile> _pending = [];
    private readonly Dictionary<string, int> _done;
    private readonly HashSet<string> _named = [];
    private readonly HashSet<string> _unusable = [];
    private readonly List<TraceFileProblem> _problems = [];
    private long _nextWindow;

    /// <summary>Collects.</summary>
    /// <param name="source">Where files are.</param>
    /// <param name="grid">The windows.</param>
    /// <param name="options">How.</param>
    /// <param name="time">The clock by which a file is quiet.</param>
    /// <param name="position">Where an earlier one has ended; <see cref="CollectorPosition.Start"/> for none.</param>
    public TraceCollector(
        ITraceSource source, WindowGrid grid, TraceCollectorOptions options, TimeProvider time,
        CollectorPosition position)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(grid);
        ArgumentNullException.ThrowIfNull(position);
        options.Validate();
        (_source, _grid, _options, _time) = (source, grid, options, time);
        _slack = grid.Length.Ticks / TimeSpan.TicksPerMicrosecond / SlackPart;
        (_nextWindow, _done) = (position.NextWindow, new Dictionary<string, int>(position.Done));
    }

    /// <summary>Where it is.</summary>
    public CollectorPosition Position => new(_nextWindow, new Dictionary<string, int>(_done));

    /// <summary>
    /// The next window that is done, or <see langword="null"/> if there is
    /// none now. Of windows that nothing was recorded of, nothing is said.
    /// </summary>
    /// <param name="cancellationToken">Gives up; the same window comes the next time.</param>
    /// <exception cref="IOException">The files can't be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public async Task<CollectedWindow?> NextAsync(CancellationToken cancellationToken)
    {
        if (Ready() is { } known) return Read(known, cancellationToken);
        await LookAsync(cancellationToken);
        return Ready() is { } found ? Read(found, cancellationToken) : null;
    }

    /// <summary>The files that were passed over, in whole or in part, since this was asked last.</summary>
    public IReadOnlyList<TraceFileProblem> TakeProblems()
    {
        TraceFileProblem[] taken = [.. _problems];
        _problems.Clear();
        return taken;
    }

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        var files = await _source.ListAsync(cancellationToken);
        _named.IntersectWith(files.Select(file => file.Name));
        _unusable.IntersectWith(_named);
        var recordings = new HashSet<string>();
        foreach (var info in files)
        {
            if (_unusable.Contains(info.Name)) continue;
            if (PendingFile.Of(info) is not { } file)
            {
                _unusable.Add(info.Name);
                PassOver(info.Name, "it has no name that a recorder gives");
                continue;
            }

            recordings.Add(file.Recording);
            if (_done.TryGetValue(file.Recording, out var done) && file.Number <= done)
                await TryDeleteAsync(info, cancellationToken);
            else if (_pending.TryGetValue((file.Recording, file.Number), out var known)) known.Info = info;
            else _pending.Add((file.Recording, file.Number), file);
        }

        foreach (var gone in _done.Keys.Where(recording => !recordings.Contains(recording)).ToList())
            _done.Remove(gone);
        var names = files.Select(file => file.Name).ToHashSet();
        foreach (var gone in _pending.Where(file => !names.Contains(file.Value.Info.Name)).Select(file => file.Key)
            .ToList())
            _pending.Remove(gone);
        Examine();
    }

    /// <summary>Finds out of each file whether it is done, and which time it is of.</summary>
    private void Examine()
    {
        var now = _time.GetUtcNow();
        PendingFile? next = null;
        foreach (var file in _pending.Values.Reverse().ToList())
        {
            var hasNext = next is not null && next.Recording == file.Recording;
            file.IsFinished = hasNext || now - file.Info.ChangedAt >= _options.QuietAfter;
            if (Peeked(file) is { } problem)
            {
                _unusable.Add(file.Info.Name);
                PassOver(file.Info.Name, problem);
                _pending.Remove((file.Recording, file.Number));
                continue;
            }

            file.End = hasNext ? Math.Max(next!.Start, file.Start) : Math.Max(file.Changed, file.Start);
            next = file;
        }
    }

    private string? Peeked(PendingFile file)
    {
        try
        {
            return file.Peek(_source);
        }
        catch (FileNotFoundException)
        {
            return "somebody has deleted it";
        }
    }

    /// <summary>The first window that is done and of which there is something.</summary>
    private long? Ready()
    {
        // A file of windows that were done before it came is late: nobody reads it any more.
        foreach (var late in _pending.Values.Where(file => file.IsFinished && LastWindowOf(file) < _nextWindow)
            .ToList())
        {
            PassOver(late.Info.Name, "it came when its windows had been read already");
            Done(late);
        }

        var finished = _pending.Values.Where(file => file.IsFinished).ToList();
        if (finished.Count == 0) return null;
        var window = finished.Min(file => Math.Max(FirstWindowOf(file), _nextWindow));
        var written = _pending.Values.Where(file => !file.IsFinished).Select(file => file.Start)
            .DefaultIfEmpty(long.MaxValue - _slack).Min();
        return _grid.StartOf(window + 1) <= written + _slack ? window : null;
    }

    private CollectedWindow Read(long window, CancellationToken cancellationToken)
    {
        var files = _pending.Values.Where(
            file => file.IsFinished && FirstWindowOf(file) <= window && LastWindowOf(file) >= window)
            .ToList();
        var trace = Slice(ReadAll(OfOneKind(files), cancellationToken), window);
        foreach (var file in files.Where(file => LastWindowOf(file) <= window)) Done(file);
        _nextWindow = window + 1;
        return new CollectedWindow(
            window,
            trace is null
                ? null
                : ConflictRate.Of(trace, _options.ConflictIntervalMicroseconds, _options.TransactionsMin),
            trace);
    }

    /// <summary>
    /// Files that were recorded in other windows, or with keys
    /// hashed when others' are not, do not go together: most count.
    /// </summary>
    private List<PendingFile> OfOneKind(List<PendingFile> files)
    {
        var kinds = files.GroupBy(file => (file.Header!.Value.Grid, file.Header.Value.IsHashed))
            .OrderByDescending(kind => kind.Count()).ToList();
        foreach (var other in kinds.Skip(1).SelectMany(kind => kind))
            PassOver(
                other.Info.Name,
                "it was recorded in other windows than most, or its keys are hashed and those of most are not");
        return kinds.Count == 0 ? [] : [.. kinds[0]];
    }

    private AccessTrace? ReadAll(List<PendingFile> files, CancellationToken cancellationToken)
    {
        try
        {
            return Together(files, cancellationToken);
        }
        catch (Exception exception) when (exception is TraceFormatException or FileNotFoundException)
        {
            return Together([.. files.Where(IsReadable)], cancellationToken);
        }

        bool IsReadable(PendingFile file)
        {
            try
            {
                TraceFile.Read([(file.Info.Name, () => _source.Open(file.Info.Name))], cancellationToken);
                return true;
            }
            catch (Exception exception) when (exception is TraceFormatException or FileNotFoundException)
            {
                PassOver(file.Info.Name, exception.Message.TrimEnd('.'));
                return false;
            }
        }
    }

    private AccessTrace? Together(List<PendingFile> files, CancellationToken cancellationToken)
    {
        if (files.Count == 0) return null;
        var reading = TraceFile.Read(
            [.. files.Select(file => (file.Info.Name, (Func<Stream>)(() => _source.Open(file.Info.Name))))],
            cancellationToken);
        foreach (var cut in reading.Files.Where(file => file.Torn is not null))
            PassOver(cut.Name, $"what follows offset {cut.Bytes} was cut: {cut.Torn}");

        return _options.KeepsCalls ? reading.Trace : reading.Trace.WithoutCalls();
    }

    private AccessTrace? Slice(AccessTrace? trace, long window)
    {
        if (trace is null) return null;
        var (from, until) =
            (_grid.StartOf(window) - trace.StartMicroseconds, _grid.StartOf(window + 1) - trace.StartMicroseconds);
        return trace.Windows.Any(recorded => recorded.StartMicroseconds < until && recorded.EndMicroseconds > from)
            ? trace.Slice(from, until)
            : null;
    }

    // One that ends before that time has come is of the window in which it ended.
    private long FirstWindowOf(PendingFile file) =>
        _grid.WindowOf(Math.Max(file.Start, Math.Min(file.Start + _slack, file.End)));

    private long LastWindowOf(PendingFile file) =>
        Math.Max(FirstWindowOf(file), _grid.WindowOf(Math.Max(0, file.End - _slack)));

    private void Done(PendingFile file)
    {
        _pending.Remove((file.Recording, file.Number));
        _done[file.Recording] = Math.Max(file.Number, _done.GetValueOrDefault(file.Recording, -1));
    }

    private void PassOver(string name, string problem)
    {
        if (_named.Add(name)) _problems.Add(new TraceFileProblem(name, problem));
    }

    private async Task TryDeleteAsync(TraceFileInfo file, CancellationToken cancellationToken)
    {
        if (_options.KeepFor is not { } keeps || _time.GetUtcNow() - file.ChangedAt < keeps) return;
        try
        {
            await _source.DeleteAsync(file.Name, cancellationToken);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            PassOver(file.Name, $"it can't be deleted ({exception.Message.TrimEnd('.')})");
        }
    }
}
