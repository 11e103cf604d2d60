using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>
/// Records, for each window of a recording, the states as of the window's begin: of each participant that is accessed
/// or updated in it, once. All members on the engine's turn.
/// </summary>
/// <remarks>
/// Commit timestamps are the serial order, so that the versions of one time are what the transactions before it have
/// left, also where some were under way then. So
/// <list type="bullet">
/// <item>nothing may be ordered below the time any more where a
/// state was recorded, as after a snapshot's read (D1);</item>
/// <item>a version that is undecided is waited for, sealed or not: what it depends on may abort it still;</item>
/// <item>a state is recorded before the first update of a window is ordered, too: who is ordered in a window may have
/// accessed the participant before, and one that nobody accesses in a window counts as it is when it is recorded
/// next;</item>
/// <item>for the same reason what is ordered above the window's end, by silos whose clocks are ahead, has the state
/// recorded as soon as the next window begins.</item>
/// </list>
/// </remarks>
internal sealed class StateRecorder(TraceRecorder recorder, bool isOn, int bytesMax, int windows)
{
    private readonly List<PendingState> _pending = [];
    private readonly List<(Participant Participant, long Timestamp)> _ahead = [];

    // What states are as of, and the next window's begin, as commit timestamps count.
    private long _from = long.MaxValue;
    private long _until = long.MaxValue;

    /// <summary>
    /// Windows of this engine's recorders so far, by whose numbers participants know whether their states were traced
    /// (<see cref="Participant.StateTracedIn"/>).
    /// </summary>
    public int Windows { get; private set; } = windows;

    /// <summary>Another window begins, and what is pending stays so.</summary>
    /// <param name="from">When, in microseconds by the host's clock.</param>
    /// <param name="until">When the next one does.</param>
    public void Begin(long from, long until)
    {
        var (begin, end) = (from << HybridClock.LogicalBits, until << HybridClock.LogicalBits);

        // Also windows in which nothing happened here.
        for (var skipped = _until; _ahead.Count > 0 && skipped < begin; skipped = _until)
            Enter(skipped, skipped + (end - begin));
        Enter(begin, end);
    }

    /// <summary>Whether a participant's state is to be recorded, and was not yet in this window.</summary>
    public bool IsDue(Participant participant) => isOn && participant.StateTracedIn != Windows;

    /// <summary>Records a state that is due.</summary>
    /// <param name="participant">Whose.</param>
    /// <param name="at">When, by the host's clock: within the window.</param>
    /// <param name="except">A version that is about to move to a later timestamp, or to be ordered.</param>
    public void Record(Participant participant, long at, StateVersion? except = null)
    {
        participant.StateTracedIn = Windows;
        Record(participant, at, _from, except);
    }

    /// <summary>An update has been ordered.</summary>
    /// <param name="participant">Of what.</param>
    /// <param name="timestamp">Its commit timestamp.</param>
    public void Ordered(Participant participant, long timestamp)
    {
        if (isOn && timestamp > _until) _ahead.Add((participant, timestamp));
    }

    /// <summary>Whether earlier versions may be asked for still.</summary>
    public bool NeedsHistory(Participant participant)
    {
        foreach (var (version, _, _) in _pending)
        {
            if (version.Participant == participant) return true;
        }

        return false;
    }

    /// <summary>Records the states that were undecided and are not any more.</summary>
    /// <param name="isLast">
    /// Whether what is still undecided can't be recorded later: then the recording says that it is not known.
    /// </param>
    public void Settle(bool isLast)
    {
        for (var i = _pending.Count - 1; i >= 0; i--)
        {
            var (version, at, time) = _pending[i];
            if (version.Status == VersionStatus.Removed)
            {
                // What has taken its place may be undecided, too, and is pending behind it then.
                _pending.RemoveAt(i);
                Record(version.Participant, at, time);
            }
            else if (IsDecided(version))
            {
                _pending.RemoveAt(i);
                Write(version, at, isKnown: version.Wts <= time);
            }
            else
            {
                continue;
            }

            version.Unpin();
        }

        if (!isLast) return;
        foreach (var (version, at, _) in _pending)
        {
            Write(version, at, isKnown: false);
            version.Unpin();
        }

        _pending.Clear();
    }

    private void Enter(long from, long until)
    {
        Windows++;
        (_from, _until) = (from, until);
        foreach (var (participant, timestamp) in _ahead)
        {
            if (timestamp > from && IsDue(participant)) Record(participant, from >> HybridClock.LogicalBits);
        }

        _ahead.RemoveAll(update => update.Timestamp <= until);
    }

    private void Record(Participant participant, long at, long time, StateVersion? except = null)
    {
        var version = participant.VersionAt(time);
        if (version == except) version = version.Previous ?? version;
        version.Rts = Math.Max(version.Rts, time);
        if (IsDecided(version))
        {
            Write(version, at, isKnown: version.Wts <= time);
            return;
        }

        version.Pins++;
        _pending.Add(new(version, at, time));
    }

    private void Write(StateVersion version, long at, bool isKnown)
    {
        // Without an adapter no grain has ever had the state here.
        if (version.Participant.Adapter is not { } adapter || recorder.ChunkOfState(at) is not { } chunk) return;
        var number = recorder.NumberOf(chunk, version.Participant);
        chunk.AddState(number, (int)(at - chunk.Base), version, adapter, bytesMax, isKnown);
    }

    private static bool IsDecided(StateVersion version) => version.IsCommitted || version.Writer is null;

    /// <summary>A state that is undecided as of a time; its version is pinned.</summary>
    private readonly record struct PendingState(StateVersion Version, long At, long Time);
}
