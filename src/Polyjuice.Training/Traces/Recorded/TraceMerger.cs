using System.Runtime.InteropServices;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>
/// Makes one trace of what several silos have recorded: attempts are at their agents, and accesses where they were
/// made; the attempt's number brings them together.
/// </summary>
internal sealed class TraceMerger
{
    private readonly RecordedTrace _recorded;
    private readonly AccessTraceBuilder _builder;
    private readonly List<RecordedSpan> _windows;
    private readonly long _start;
    private readonly List<TraceAccess> _accesses = [];
    private readonly double[] _computeOf;

    // What rounding has left out of compute times so far, so that their sum is right.
    private readonly double[] _rest;
    private long _incomplete;

    private TraceMerger(RecordedTrace recorded)
    {
        _recorded = recorded;
        _windows = CoveredTime.Of(recorded.Covers.Values, recorded.Grid);
        _start = _windows.Count > 0 ? _windows[0].From : 0;
        _builder = new AccessTraceBuilder(_start) { ArgumentEncoding = recorded.ArgumentEncoding };
        _computeOf = new double[recorded.Names.Silos.Count];
        _rest = new double[_computeOf.Length];
        foreach (var (silo, cover) in recorded.Covers) _computeOf[silo] = cover.Accesses > 0
            ? (double)cover.Busy / cover.Accesses
            : 0;
    }

    /// <summary>
    /// The trace. Transactions that did not arrive in a window, or of which a part is missing, are left out.
    /// </summary>
    public static AccessTrace Merge(RecordedTrace recorded) => new TraceMerger(recorded).Merge();

    private AccessTrace Merge()
    {
        AddNames();
        var accesses = CollectionsMarshal.AsSpan(_recorded.Accesses);
        accesses.Sort();
        var attempts = CollectionsMarshal.AsSpan(_recorded.LastAttempts);
        attempts.Sort();
        var next = 0;
        for (var i = 0; i < attempts.Length; i++)
        {
            ref readonly var attempt = ref attempts[i];

            // Read twice, because a file was given twice, say.
            if (i > 0 && attempt.CompareTo(attempts[i - 1]) == 0) continue;
            while (next < accesses.Length && Compare(accesses[next], attempt) < 0) next++;
            var first = next;
            while (next < accesses.Length && Compare(accesses[next], attempt) == 0) next++;
            if (IsInWindow(attempt.Arrival)) Add(attempt, accesses[first..next]);
        }

        foreach (var window in _windows)
            _builder.AddWindow(new TraceWindow(window.From - _start, window.Until - _start));
        AddStates();
        var covers = _recorded.Covers.Values;
        _builder.Losses = new TraceLosses(
            covers.Sum(cover => cover.DroppedWindows), covers.Sum(cover => cover.DroppedRecords), _incomplete);
        return _builder.Build();
    }

    private void AddStates()
    {
        if (_recorded.States.Count == 0) return;
        _builder.StatePeriodMicroseconds = _recorded.Grid.Period;
        foreach (var state in _recorded.States)
            _builder.AddState(state with { AtMicroseconds = state.AtMicroseconds - _start });
    }

    private void AddNames()
    {
        var names = _recorded.Names;
        foreach (var (node, name) in names.Silos) _builder.AddSilo(node, name);
        foreach (var type in names.Types) _builder.AddType(type);
        foreach (var site in names.Sites) _builder.AddSite(site);
        foreach (var method in names.Methods) _builder.AddMethod(method);
        foreach (var (grainClass, key) in names.Grains) _builder.AddGrain(grainClass, key);
        foreach (var (grain, state, silo, _) in names.Participants) _builder.AddParticipant(grain, state, silo);
    }

    private void Add(in RecordedAttempt attempt, ReadOnlySpan<RecordedAccess> accesses)
    {
        _accesses.Clear();
        RecordedAccess? before = null;
        foreach (ref readonly var access in accesses)
        {
            // What a resumed body has done again counts as it was the last time.
            if (access.Generation != attempt.Generation || access == before) continue;
            before = access;
            _accesses.Add(
                new TraceAccess(
                    access.Site,
                    access.Participant,
                    access.Time - attempt.Arrival,
                    ComputeOf(access.Participant),
                    FlagsOf(access.Flags)));
        }

        if (_accesses.Count < attempt.Accesses && attempt.Outcome == (byte)AbortReason.None)
        {
            _incomplete++;
            return;
        }

        OrderParallel();
        _builder.AddTransaction(
            new TraceTransaction(
                attempt.Type, attempt.Arrival - _start, Math.Max(0, attempt.End - attempt.Arrival),
                attempt.Attempt > 1 ? Math.Max(0, attempt.Start - attempt.Arrival) : 0, attempt.Silo, attempt.Attempt,
                (AbortReason)attempt.Outcome, (attempt.Flags & AttemptEventFlags.ReadOnly) != 0, 0, 0),
            CollectionsMarshal.AsSpan(_accesses),
            attempt.Call < 0 ? default : _recorded.Calls[attempt.Call]);
    }

    /// <summary>Numbers say nothing of what ran in parallel, so there time does.</summary>
    private void OrderParallel()
    {
        var first = _accesses.FindIndex(access => access.IsParallel);
        if (first < 0) return;
        var ordered = _accesses.OrderBy(access => access.AtMicroseconds).ToArray();
        _accesses.Clear();
        foreach (var access in ordered) _accesses.Add(access with { Flags = access.Flags | TraceAccessFlags.Parallel });
    }

    private int ComputeOf(int participant)
    {
        var silo = _recorded.Names.Participants[participant].Silo;
        var exact = _computeOf[silo] + _rest[silo];
        var rounded = (int)exact;
        _rest[silo] = exact - rounded;
        return rounded;
    }

    private bool IsInWindow(long at)
    {
        // The last window that begins at or before it.
        var (low, high) = (0, _windows.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (_windows[middle].From <= at) low = middle + 1;
            else high = middle - 1;
        }

        return high >= 0 && at < _windows[high].Until;
    }

    private static int Compare(in RecordedAccess access, in RecordedAttempt attempt)
    {
        var by = access.Agent.CompareTo(attempt.Agent);
        return by != 0 ? by : access.Sequence.CompareTo(attempt.Sequence);
    }

    private static TraceAccessFlags FlagsOf(AccessEventFlags flags) =>
        (flags.HasFlag(AccessEventFlags.Parallel)
            ? TraceAccessFlags.Parallel
            : TraceAccessFlags.None) | (flags.HasFlag(AccessEventFlags.Conflict)
                ? TraceAccessFlags.Conflict
                : TraceAccessFlags.None);
}
