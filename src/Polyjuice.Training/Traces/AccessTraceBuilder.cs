using System.Runtime.InteropServices;
using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>
/// Makes an <see cref="AccessTrace"/>: names first, then what refers to them. Whatever does not fit is refused when it
/// is added, and changes nothing. Not thread-safe.
/// </summary>
/// <param name="startMicroseconds">When the trace starts, in microseconds since the Unix epoch.</param>
internal sealed class AccessTraceBuilder(long startMicroseconds)
{
    private readonly List<string> _types = [];
    private readonly Dictionary<string, int> _typeNumbers = new(StringComparer.Ordinal);
    private readonly List<TraceSite> _sites = [];
    private readonly Dictionary<SiteKey, int> _siteNumbers = [];
    private readonly List<TraceGrain> _grains = [];
    private readonly List<TraceParticipant> _participants = [];
    private readonly List<TraceSilo> _silos = [];
    private readonly List<TraceWindow> _windows = [];
    private readonly List<TraceTransaction> _transactions = [];
    private readonly List<TraceAccess> _accesses = [];
    private readonly List<TracedMethod> _methods = [];
    private readonly Dictionary<TracedMethod, int> _methodNumbers = [];
    private readonly List<TraceCall> _calls = [];
    private readonly List<TraceState> _states = [];

    /// <summary>What happened and is not in the trace.</summary>
    public TraceLosses Losses { get; set; }

    /// <summary>How arguments of calls are encoded; empty as long as no call is added.</summary>
    public string ArgumentEncoding { get; set; } = "";

    /// <summary>How far apart the starts of windows are whose states are added; 0 as long as none is.</summary>
    public long StatePeriodMicroseconds { get; set; }

    /// <summary>The number of a transaction type, given to it now if it is new.</summary>
    public int AddType(string name)
    {
        if (_typeNumbers.TryGetValue(name, out var number)) return number;
        _typeNumbers.Add(name, _types.Count);
        _types.Add(name);
        return _types.Count - 1;
    }

    /// <summary>The number of a site, given to it now if it is new, and to its type.</summary>
    public int AddSite(SiteKey key)
    {
        if (_siteNumbers.TryGetValue(key, out var number)) return number;
        _siteNumbers.Add(key, _sites.Count);
        _sites.Add(new TraceSite(AddType(key.Type), key, false));
        return _sites.Count - 1;
    }

    /// <summary>Adds a silo.</summary>
    /// <param name="node">Its incarnation's number.</param>
    /// <param name="name">For people; may be empty.</param>
    /// <returns>Its number in the trace.</returns>
    public int AddSilo(long node, string name = "")
    {
        _silos.Add(new TraceSilo(node, name));
        return _silos.Count - 1;
    }

    /// <summary>The number of a method, given to it now if it is new.</summary>
    public int AddMethod(TracedMethod method)
    {
        if (_methodNumbers.TryGetValue(method, out var number)) return number;
        _methodNumbers.Add(method, _methods.Count);
        _methods.Add(method);
        return _methods.Count - 1;
    }

    /// <summary>Adds a grain, another one each time.</summary>
    /// <param name="grainClass">Its class.</param>
    /// <param name="key">Its identity as text or hashed; may be empty.</param>
    /// <returns>Its number in the trace.</returns>
    public int AddGrain(string grainClass, string key = "")
    {
        _grains.Add(new TraceGrain(grainClass, key));
        return _grains.Count - 1;
    }

    /// <summary>Adds a participant, another one each time.</summary>
    /// <param name="grain">Its grain's number.</param>
    /// <param name="state">As <see cref="SiteKey.State"/> has it.</param>
    /// <param name="silo">The number of the silo that serves it.</param>
    /// <returns>Its number in the trace.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The grain or the silo has not been added.</exception>
    public int AddParticipant(int grain, string state, int silo)
    {
        Known(grain, _grains.Count);
        Known(silo, _silos.Count);
        _participants.Add(new TraceParticipant(grain, state, silo));
        return _participants.Count - 1;
    }

    /// <summary>Adds a time that was recorded whole, behind those before it.</summary>
    /// <exception cref="ArgumentException">It is empty, or begins before the last one ends.</exception>
    public void AddWindow(TraceWindow window)
    {
        if (window.LengthMicroseconds <= 0)
            throw new ArgumentException(
                $"The window from {window.StartMicroseconds} to {window.EndMicroseconds} µs is empty.",
                nameof(window));
        if (_windows.Count > 0 && window.StartMicroseconds < _windows[^1].EndMicroseconds)
            throw new ArgumentException(
                $"The window at {window.StartMicroseconds} µs begins before the last one ends, at "
                + $"{_windows[^1].EndMicroseconds} µs.",
                nameof(window));
        _windows.Add(window);
    }

    /// <summary>Adds a transaction with its accesses, in any order of arrival.</summary>
    /// <param name="transaction">
    /// What is known of it; <see cref="TraceTransaction.FirstAccess"/>
    /// and <see cref="TraceTransaction.AccessCount"/> are filled in here.
    /// </param>
    /// <param name="accesses">Of its last attempt, in order.</param>
    /// <param name="call">The call that it began with, if that was recorded.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// It names a type, silo, site, participant or method that has not been added, or has not been tried once.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// A site is of another type, or about another state than the participant
    /// is; or a call has arguments, and their encoding is not known.
    /// </exception>
    public void AddTransaction(
        TraceTransaction transaction, ReadOnlySpan<TraceAccess> accesses, TraceCall call = default)
    {
        if (call.IsNamed)
        {
            Known(call.Method, _methods.Count);
            if (ArgumentEncoding.Length == 0)
                throw new ArgumentException(
                    $"Say first how arguments are encoded: {nameof(ArgumentEncoding)}.", nameof(call));
        }

        Known(transaction.Type, _types.Count);
        Known(transaction.Silo, _silos.Count);
        ArgumentOutOfRangeException.ThrowIfLessThan(transaction.Attempts, 1, nameof(transaction));
        ArgumentOutOfRangeException.ThrowIfNegative(transaction.DurationMicroseconds, nameof(transaction));
        ArgumentOutOfRangeException.ThrowIfNegative(transaction.LastAttemptMicroseconds, nameof(transaction));
        foreach (var access in accesses) Check(transaction, access);
        foreach (var access in accesses) MarkIfRepeated(access.Site, accesses);
        _calls.Add(call);
        _transactions.Add(transaction with { FirstAccess = _accesses.Count, AccessCount = accesses.Length });
        _accesses.AddRange(accesses);
    }

    /// <summary>Adds a state, in any order of time.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Its participant has not been added.</exception>
    /// <exception cref="ArgumentException">Nobody has said how far apart windows are.</exception>
    public void AddState(in TraceState state)
    {
        Known(state.Participant, _participants.Count);
        if (StatePeriodMicroseconds <= 0)
            throw new ArgumentException(
                $"Say first how far apart windows are: {nameof(StatePeriodMicroseconds)}.", nameof(state));
        _states.Add(state);
    }

    /// <summary>The trace of what has been added so far. If no window was, all of it counts as one.</summary>
    public AccessTrace Build()
    {
        var order = Enumerable.Range(0, _transactions.Count).OrderBy(place => _transactions[place].ArrivalMicroseconds)
            .ToArray();
        var transactions = Array.ConvertAll(order, place => _transactions[place]);
        TraceCall[] calls = ArgumentEncoding.Length > 0 ? Array.ConvertAll(order, place => _calls[place]) : [];
        var accesses = new TraceAccess[_accesses.Count];
        var added = CollectionsMarshal.AsSpan(_accesses);
        var next = 0;
        foreach (ref var transaction in transactions.AsSpan())
        {
            added.Slice(transaction.FirstAccess, transaction.AccessCount).CopyTo(accesses.AsSpan(next));
            transaction = transaction with { FirstAccess = next };
            next += transaction.AccessCount;
        }

        TraceWindow[] windows = _windows.Count > 0 || transactions.Length == 0
            ? [.. _windows]
            : [new(transactions[0].ArrivalMicroseconds, transactions[^1].ArrivalMicroseconds + 1)];
        var states = new TraceStates(
            _states.Count > 0 ? StatePeriodMicroseconds : 0,
            [.. _states.OrderBy(static state => state.AtMicroseconds)]);
        return new AccessTrace(
            startMicroseconds, [.. _silos], [.. _types], [.. _sites], [.. _grains], [.. _participants], windows,
            Losses, transactions, accesses, new TraceCallNames([.. _methods], ArgumentEncoding), calls, states);
    }

    private void Check(in TraceTransaction transaction, in TraceAccess access)
    {
        Known(access.Site, _sites.Count);
        Known(access.Participant, _participants.Count);
        ArgumentOutOfRangeException.ThrowIfNegative(access.ComputeMicroseconds);
        var site = _sites[access.Site];
        if (site.Type != transaction.Type)
            throw new ArgumentException(
                $"The site {site.Key.Name} is of type {_types[site.Type]}, and the transaction of "
                + $"{_types[transaction.Type]}.");
        var state = _participants[access.Participant].State;
        if (!string.Equals(site.Key.State, state, StringComparison.Ordinal))
            throw new ArgumentException(
                $"The site {site.Key.Name} is about {site.Key.State}, and the participant is {state}.");
    }

    private void MarkIfRepeated(int site, ReadOnlySpan<TraceAccess> accesses)
    {
        if (_sites[site].IsRepeated) return;
        var passed = 0;
        foreach (var access in accesses)
        {
            if (access.Site == site) passed++;
        }

        if (passed > 1) _sites[site] = _sites[site] with { IsRepeated = true };
    }

    private static void Known(
        int number,
        int count,
        [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(number))] string? name = null)
    {
        if ((uint)number >= (uint)count)
            throw new ArgumentOutOfRangeException(name, number, $"Only {count} were added.");
    }
}
