using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Chooses the table where the policy leaves that to the nodes (the rule <c>chosen</c>): one node for all, by what the
/// others tell it of theirs (<see cref="TableChoice"/>). That is the owner of a log with the lowest number, as for
/// <see cref="Agents.AgreedAdmission"/>. Speed only: any table is safe beside any other, and who hears nothing for
/// <see cref="LeaseMicroseconds"/> goes on for itself, from the table that it was told last. Turn only.
/// </summary>
internal sealed class TableChooser(
    EngineContext context, PolicyStore policies, Mail mail, KnownOwners owners, AdmissionQueue queue)
{
    /// <summary>For so long what was heard holds, or counts.</summary>
    public const long LeaseMicroseconds = 500_000;

    /// <summary>A window is at least so long, and ends when it has seen enough.</summary>
    private const long WindowMin = 250_000;
    private const long WindowMax = 600_000;
    private const int CommitsMin = 32;

    private const long ReportEvery = 50_000;
    private const long StallMicroseconds = 100_000;

    // A message holds so many counts.
    private const int Group = 3;

    private readonly Dictionary<NodeId, Report> _others = [];
    private TableChoice? _choice;
    private ChoiceModel? _model;
    private LoadCounts _seen = LoadCounts.None;
    private long _windowSince;
    private long _tickedAt;
    private long _reportedAt;
    private long _toldUntil;

    /// <summary>The index of the table in force.</summary>
    public int Current { get; private set; }

    /// <summary>Looks whether a window is over, and tells the node that chooses what is new.</summary>
    public void Tick(long now)
    {
        if (policies.Current.Model is not { } model)
        {
            // Another policy is in force. What comes back later begins anew.
            if (_choice is not null) Reset();
            return;
        }

        if (model != _model)
        {
            Reset();
            _choice = new(_model = model);
            _toldUntil = now + LeaseMicroseconds;
        }

        // Nothing has run meanwhile, or the process stood still: a window says nothing.
        if (now - _tickedAt > StallMicroseconds) _windowSince = 0;
        _tickedAt = now;
        var leader = owners.Leader();
        if (leader == NodeId.None) return;
        if (leader == context.Node || now >= _toldUntil) Lead(now);
        if (leader != context.Node && now - _reportedAt >= ReportEvery) Tell(leader, now);
    }

    /// <summary>Another node tells what is new there, or which table is in force.</summary>
    public void Heard(in Message message)
    {
        if (_choice is null) return;
        var leader = owners.Leader();
        if (!ChoiceReport.Is(message))
        {
            var table = ChoiceAnswer.Read(message).Table;
            if (message.From != leader || (uint)table >= (uint)_model!.Tables.Count) return;
            _toldUntil = context.Now + LeaseMicroseconds;
            (_windowSince, _seen) = (0, LoadCounts.None);
            _choice.Assume(table);
            Enter(table, ChoiceReason.Told);
            return;
        }

        if (leader != context.Node) return;
        if (!_others.TryGetValue(message.From, out var report)) _others.Add(message.From, report = new());
        report.At = context.Now;
        var told = ChoiceReport.Read(message);
        ReadOnlySpan<long> values = [told.First, told.Second, told.Third];
        for (var i = 0; i < Group; i++)
        {
            var at = (told.Group * Group) + i;
            if ((uint)at < (uint)report.Values.Length) report.Values[at] = Math.Max(report.Values[at], values[i]);
        }

        // Once for each report.
        if (told.Group == 0) mail.Send(message.From, new ChoiceAnswer { Table = Current });
    }

    private void Lead(long now)
    {
        foreach (var (node, report) in _others)
        {
            if (now - report.At >= LeaseMicroseconds) Forget(node, report);
        }

        var length = now - _windowSince;
        if (_windowSince > 0 && length < WindowMin) return;
        var sum = LoadCounts.Of(context.Statistics);
        foreach (var report in _others.Values) sum = sum.And(LoadCounts.Of(report.Values));
        if (_windowSince == 0)
        {
            (_windowSince, _seen) = (now, sum);
            return;
        }

        var window = sum.Since(_seen);
        if (window[LoadCount.Commits] < CommitsMin && length < WindowMax) return;
        (_windowSince, _seen) = (now, sum);

        // A load that has begun, or all but ended, says nothing of what tables make of it.
        if (window[LoadCount.Attempts] == 0 || _others.Values.Any(static report => report.IsNew))
        {
            foreach (var report in _others.Values) report.IsNew = false;
            return;
        }

        if (_choice!.Note(window, length, 1 + _others.Count)) Enter(_choice.Current, _choice.Reason);
        if (_choice.HasShifted) queue.BeginAnew(now);
    }

    private void Tell(NodeId leader, long now)
    {
        _reportedAt = now;
        var values = LoadCounts.Of(context.Statistics).Values;
        for (var at = 0; at < values.Count; at += Group)
        {
            mail.Send(leader, new ChoiceReport
            {
                Group = at / Group,
                First = values[at],
                Second = at + 1 < values.Count ? values[at + 1] : 0,
                Third = at + 2 < values.Count ? values[at + 2] : 0,
            });
        }
    }

    private void Enter(int table, ChoiceReason reason)
    {
        if (table == Current) return;

        // A race comes to several, and the others are told of each.
        var level = reason == ChoiceReason.Won ? LogLevel.Information : LogLevel.Debug;
        context.Log.Chosen(level, _model!.Tables[table].Name, _model.Tables[Current].Name, reason);
        Current = table;
        queue.BeginAnew(context.Now);
    }

    private void Forget(NodeId node, Report report)
    {
        // What it has counted goes with it, and the window begins anew.
        _others.Remove(node);
        _seen = _seen.Since(LoadCounts.Of(report.Values));
    }

    private void Reset()
    {
        (_choice, _model, _windowSince, _toldUntil, Current) = (null, null, 0, 0, 0);
        _others.Clear();
    }

    private sealed class Report
    {
        public long[] Values { get; } = new long[LoadCounts.Names.Count];

        public long At { get; set; }

        /// <summary>What it had counted before it was heard first is not of the window that runs.</summary>
        public bool IsNew { get; set; } = true;
    }
}
