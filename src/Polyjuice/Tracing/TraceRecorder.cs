using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>
/// Records one engine's accesses and attempts. All members on the engine's turn; a full chunk is written in the
/// background of the host, and comes back on the turn.
/// </summary>
/// <remarks>
/// It is on the path of every access, so that appends a record to an array and does no more: no lock, no allocation, no
/// look-up. Participants have numbers of their own (<see cref="Participant.TraceNumber"/>), which are given out again
/// in each file by raising the number above which they count: what a file names, it has introduced.
/// </remarks>
internal sealed class TraceRecorder : ITransactionTrace
{
    /// <summary>Times count from a chunk's first record and have 31 bits, so no chunk spans twice this.</summary>
    private const long SpanMax = int.MaxValue / 2;

    /// <summary>Microseconds.</summary>
    private const long EndMax = 10_000_000;

    private readonly EngineParts _engine;
    private readonly TraceRecorderOptions _options;
    private readonly TraceFiles _files;
    private readonly long _began;
    private readonly Stack<TraceChunk> _free = [];
    private readonly Queue<TraceChunk> _full = [];

    private readonly StateRecorder _states;
    private TaskCompletionSource? _written;
    private TraceChunk? _chunk;
    private int _made;
    private int _file;
    private int _named;
    private int _namedInEarlierFiles;

    // The window that the last record fell into, or the time until the next one.
    private long _until = long.MinValue;
    private long _windowStart = long.MinValue;
    private long _now;
    private bool _isInWindow;

    // Where the time ends that the file is of, if files are of times.
    private long _fileUntil = long.MaxValue;
    private bool _isDropping;
    private long _coveredUntil;
    private long _droppedRecords;
    private long _droppedWindows;
    private TraceCounts _counts;

    public TraceRecorder(
        EngineParts engine, TraceRecorderOptions options, ITraceSink sink, RecorderIdentity identity, int named,
        int stateWindows)
    {
        options.Validate();
        _engine = engine;
        _options = options;
        _named = _namedInEarlierFiles = named;
        _states = new StateRecorder(this, options.RecordsStates, options.StateBytesMax, stateWindows);
        _began = _coveredUntil = engine.Now;
        if (options.FilePeriodMicroseconds > 0) _fileUntil = PeriodEnd(_coveredUntil);
        _files = new TraceFiles(identity, engine.Tables.Registry, options, sink);
    }

    /// <summary>How many participants have got numbers from this engine's recorders so far.</summary>
    public int Named => _named;

    /// <inheritdoc cref="StateRecorder.Windows"/>
    public int StateWindows => _states.Windows;

    /// <summary>What was done so far.</summary>
    public TraceCounts Counts => _counts with { Files = _files.Count, Bytes = _files.Bytes };

    /// <inheritdoc/>
    public long RecordedAttempts => Counts.Attempts;

    /// <inheritdoc/>
    public long DroppedRecords => Counts.DroppedRecords;

    /// <inheritdoc/>
    public long WrittenBytes => Counts.Bytes;

    /// <inheritdoc cref="StateRecorder.NeedsHistory"/>
    public bool NeedsHistory(Participant participant) => _states.NeedsHistory(participant);

    /// <summary>An access is about to be made.</summary>
    public void Access(LocalTransaction transaction, Participant participant, SiteInfo site, AccessKind kind)
    {
        var now = Now();
        if ((now >= _until || _chunk is null) && !TryOpen(now)) return;
        var chunk = _chunk!;
        if (!chunk.TryPlace(transaction.Id, out var agent, out var sequence))
        {
            HandOver(now);
            Access(transaction, participant, site, kind);
            return;
        }

        var number = NumberOf(chunk, participant);
        ref var record = ref chunk.Accesses[chunk.AccessCount++];
        record.Sequence = sequence;
        record.Time = (int)(now - chunk.Base);
        record.Site = site.Id;
        record.Participant = number;
        record.Number = (ushort)Math.Min(transaction.AccessNumber, ushort.MaxValue);
        record.Agent = agent;
        record.Flags = (transaction.IsParallel ? AccessEventFlags.Parallel : AccessEventFlags.None)
            | (participant.MeetsConflict(transaction, kind) ? AccessEventFlags.Conflict : AccessEventFlags.None);
        record.Generation = (byte)transaction.Generation;
        if (_states.IsDue(participant)) _states.Record(participant, now);
        if (_chunk == chunk && (chunk.AccessCount == TraceChunk.AccessesMax || chunk.IsFullOfStates)) HandOver(now);
    }

    /// <summary>A transaction is about to be ordered, or to move to a later timestamp.</summary>
    public void Ordering(Branch branch)
    {
        if (!_options.RecordsStates || branch.ReadsOnly) return;
        var now = Now();
        if ((now >= _until || _chunk is null) && !Open(now)) return;
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is { } write && _states.IsDue(entry.Participant))
                _states.Record(entry.Participant, now, except: write);
        }
    }

    /// <inheritdoc cref="StateRecorder.Ordered"/>
    public void Ordered(Participant participant, long timestamp) => _states.Ordered(participant, timestamp);

    /// <summary>An attempt has ended at its agent, which is here.</summary>
    /// <param name="transaction">Its transaction.</param>
    /// <param name="waited">How long that had waited to start, in microseconds.</param>
    /// <param name="attempt">From 1.</param>
    /// <param name="outcome">How it has ended.</param>
    /// <param name="ended">What was run, if there is no other attempt after it.</param>
    public void Attempt(
        LocalTransaction transaction, long waited, int attempt, AbortReason outcome, ITransactionBody? ended)
    {
        var now = Now();
        if ((now >= _until || _chunk is null) && !TryOpen(now)) return;
        var chunk = _chunk!;
        ref var record = ref chunk.Attempts[chunk.AttemptCount++];
        record.First = transaction.FirstAttempt;
        record.Sequence = transaction.Id.Sequence;
        record.End = (int)(now - chunk.Base);
        record.Duration = (int)Math.Clamp(now - (transaction.Start >> HybridClock.LogicalBits), 0, int.MaxValue);
        record.Waited = (int)Math.Min(waited, int.MaxValue);
        record.Type = transaction.TypeId;
        record.Attempt = attempt;
        record.Accesses = transaction.AccessNumber;
        record.Outcome = (byte)outcome;
        record.Generation = (byte)transaction.Generation;
        record.Flags = (ended is not null
            ? AttemptEventFlags.Last
            : AttemptEventFlags.None) | (transaction.IsReadOnly ? AttemptEventFlags.ReadOnly : AttemptEventFlags.None);
        if (ended is not null && _options.RecordsCalls)
            chunk.AddCall(ended.Call as ITracedCall, _options.ArgumentBytesMax);
        if (chunk.AttemptCount == TraceChunk.AttemptsMax || chunk.IsFullOfArguments) HandOver(now);
    }

    /// <summary>Hands over what has waited for long, or all if nothing will happen for a time.</summary>
    public void Tick(bool isIdle)
    {
        var now = Now();
        _states.Settle(isLast: false);
        if (_chunk is { IsEmpty: false } chunk && (isIdle || now - chunk.From >= _options.HandOverMicroseconds))
            HandOver(now);
    }

    /// <summary>
    /// Writes what there is and ends the file. Nothing is recorded any more. A sink that does not answer is not waited
    /// for any longer than <see cref="EndMax"/>; then the file has a torn end.
    /// </summary>
    public async Task StopAsync()
    {
        var now = Now();
        _states.Settle(isLast: true);
        if (_chunk is { IsEmpty: false }) HandOver(now);
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _engine.Host.ScheduleHousekeeping(
            EndMax, () => ended.TrySetException(new TimeoutException("The sink has not answered in time.")));
        _ = End(_isDropping ? _coveredUntil : now, ended);
        try
        {
            await ended.Task;
        }
        catch (Exception exception)
        {
            _engine.Log.TraceFailed(exception);
        }
    }

    private async Task End(long until, TaskCompletionSource ended)
    {
        try
        {
            if (_written is { } writing) await writing.Task;
            await _engine.Host.RunBeside(() => _files.EndAsync(until, _droppedRecords, _droppedWindows));
            ended.TrySetResult();
        }
        catch (Exception exception)
        {
            ended.TrySetException(exception);
        }
    }

    /// <summary>As recent as there is for nothing, and never going back, whatever the host's clock does.</summary>
    private long Now() => _now = Math.Max(_now, _engine.Host.RecentMicroseconds);

    private void Name(TraceChunk chunk, Participant participant)
    {
        participant.TraceNumber = ++_named;
        chunk.Names[chunk.NameCount++] = participant.Key;
    }

    /// <summary>Where a state goes; <see langword="null"/> if it is dropped, and counted.</summary>
    /// <param name="at">When it was recorded.</param>
    public TraceChunk? ChunkOfState(long at)
    {
        if (_chunk is { IsFullOfStates: true }) HandOver(_now);
        if (_chunk is null && !_isDropping) TryTake(_now);
        if (_chunk is { } chunk && Math.Abs(at - chunk.Base) < SpanMax) return chunk;
        _counts = _counts with { DroppedStates = _counts.DroppedStates + 1 };
        return null;
    }

    /// <summary>A participant's number in a chunk's file, which it may introduce.</summary>
    public int NumberOf(TraceChunk chunk, Participant participant)
    {
        if (participant.TraceNumber <= _namedInEarlierFiles) Name(chunk, participant);
        return participant.TraceNumber - _namedInEarlierFiles - 1;
    }

    /// <summary>
    /// Off the fast path: another window begins or ends, or there is no chunk. Says whether there is one to record in,
    /// and counts a record that is dropped.
    /// </summary>
    private bool TryOpen(long now)
    {
        if (Open(now)) return true;
        if (_isInWindow) Dropped(1, windows: 0);
        return false;
    }

    private bool Open(long now)
    {
        if (now >= _until)
        {
            // What happens from now on is in another file, and nobody may look for them there.
            if (now >= _fileUntil) _states.Settle(isLast: true);
            var start = now - (now % _options.WindowPeriodMicroseconds);
            var end = start + _options.WindowLengthMicroseconds;
            _isInWindow = now < end;

            // Dropped is what is left of a window, and since its end nothing has happened until now.
            if (_isDropping) _coveredUntil = _until;
            _isDropping = false;
            if (_chunk is { IsEmpty: false } old && (!_isInWindow || now - old.Base >= SpanMax || now >= _fileUntil))
                HandOver(now);
            if (now >= _fileUntil) BeginPeriod(now);
            _until = Math.Min(
                Math.Min(_isInWindow ? end : start + _options.WindowPeriodMicroseconds, now + SpanMax), _fileUntil);
            if (start != _windowStart)
            {
                _windowStart = start;
                _states.Begin(Math.Max(start, _began), start + _options.WindowPeriodMicroseconds);
            }
        }

        if (!_isInWindow) return false;
        if (_chunk is not null) return true;
        if (!_isDropping && TryTake(now)) return true;
        if (!_isDropping)
        {
            _isDropping = true;
            Dropped(0, windows: 1);
        }

        return false;
    }

    private bool TryTake(long now)
    {
        if (!_free.TryPop(out var chunk))
        {
            if (_made == _options.ChunksMax) return false;
            chunk = new TraceChunk(_options.RecordsCalls, _options.RecordsStates);
            _made++;
        }

        if (_files.IsFull(_file)) BeginFile();
        chunk.File = _file;
        chunk.Base = now;
        chunk.Busy = -_engine.Host.BusyMicroseconds;
        chunk.From = _coveredUntil;
        (chunk.DroppedRecords, chunk.DroppedWindows) = (_droppedRecords, _droppedWindows);
        _droppedRecords = _droppedWindows = 0;
        _chunk = chunk;
        return true;
    }

    /// <summary>
    /// Another file for another time. An empty chunk that is open belongs to the old one, so another is taken.
    /// </summary>
    private void BeginPeriod(long now)
    {
        _fileUntil = PeriodEnd(now);
        if (_chunk is { } empty) Drop(empty);
        _chunk = null;
        BeginFile();
    }

    private long PeriodEnd(long now) => now - (now % _options.FilePeriodMicroseconds) + _options.FilePeriodMicroseconds;

    private void BeginFile()
    {
        _file++;
        _namedInEarlierFiles = _named;
    }

    private void HandOver(long until)
    {
        var chunk = _chunk!;
        _chunk = null;
        chunk.Busy += _engine.Host.BusyMicroseconds;
        chunk.Until = _coveredUntil = Math.Max(until, chunk.From);
        _full.Enqueue(chunk);
        if (_written is null) _ = WriteAll();
    }

    private async Task WriteAll()
    {
        var written = _written = new TaskCompletionSource();
        while (_full.TryDequeue(out var chunk))
        {
            try
            {
                await _engine.Host.RunBeside(() => _files.WriteAsync(chunk));
                _counts = chunk.AddTo(_counts);
                Return(chunk);
            }
            catch (Exception exception)
            {
                _engine.Log.TraceFailed(exception);
                GiveUpFile(chunk);
            }
        }

        _written = null;
        written.SetResult();
    }

    /// <summary>
    /// What waits to be written may name what only the lost chunk
    /// introduces, so all of it is lost, and the rest of the window.
    /// </summary>
    private void GiveUpFile(TraceChunk lost)
    {
        Drop(lost);
        while (_full.TryDequeue(out var chunk)) Drop(chunk);
        if (_chunk is { } open) Drop(open);
        _chunk = null;
        Dropped(0, windows: 1);
        _isDropping = true;
        BeginFile();
    }

    private void Drop(TraceChunk chunk)
    {
        Dropped(chunk.AccessCount + chunk.AttemptCount, windows: 0);

        // What it was to tell was counted when it was dropped.
        _droppedRecords += chunk.DroppedRecords;
        _droppedWindows += chunk.DroppedWindows;
        Return(chunk);
    }

    private void Return(TraceChunk chunk)
    {
        chunk.Clear();
        _free.Push(chunk);
    }

    private void Dropped(int records, int windows)
    {
        _droppedRecords += records;
        _droppedWindows += windows;
        _counts = _counts with
        {
            DroppedRecords = _counts.DroppedRecords + records, DroppedWindows = _counts.DroppedWindows + windows
        };
    }
}
