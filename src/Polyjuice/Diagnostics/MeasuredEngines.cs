using System.Diagnostics.Metrics;
using Polyjuice.Agents;
using Polyjuice.Policies;

namespace Polyjuice.Diagnostics;

/// <summary>
/// The engines of one host, as its meter shows them: what is read when somebody asks is their sum, because a listener
/// takes two instruments of one name for one, and would keep the value of one engine alone. Thread-safe.
/// </summary>
internal sealed class MeasuredEngines
{
    /// <summary>The instrument of what accesses did, by site.</summary>
    public const string SiteActions = "polyjuice.policy.actions";

    private readonly Lock _gate = new();
    private volatile EngineParts[] _engines = [];

    /// <summary>An engine more. It measures with the same meter as those before it.</summary>
    public void Add(EngineParts engine, Meter meter)
    {
        lock (_gate)
        {
            _engines = [.. _engines, engine];
            if (_engines.Length == 1) Observe(meter);
        }
    }

    /// <summary>What is read from the engines when somebody asks.</summary>
    private void Observe(Meter meter)
    {
        meter.CreateObservableGauge(
            "polyjuice.policy.version", () => _engines[0].Tables.Version, "{swap}", "The policy table in force.");
        meter.CreateObservableGauge(
            "polyjuice.policy.chosen", Chosen, "{table}",
            "1 for the built-in table that the nodes have chosen, where the policy leaves that to them.");
        meter.CreateObservableCounter(
            SiteActions, () => SiteCounts.Read(Array.ConvertAll(_engines, static engine => engine.Sites)), "{action}",
            "What accesses did by the rows of the policy table, by transaction type, site and action: waits begun, and "
            + "ended by deadlock or time-out; dirty reads; exposures; early validations, and those that failed.");
        meter.CreateObservableGauge(
            "polyjuice.admission.waiting",
            () => _engines.Sum(static engine => engine.HeldAttempts),
            "{attempt}",
            "Attempts that wait until others of their kind have ended.");
        meter.CreateObservableGauge(
            "polyjuice.admission.limit", () => _engines.Sum(static engine => engine.AttemptLimit), "{attempt}",
            "Attempts of contended types that may run at a time; 0 while none is held back.");
        meter.CreateObservableCounter(
            "polyjuice.admission.held",
            () => Sum(static engine => Volatile.Read(ref engine.Statistics.Held)),
            "{attempt}",
            "Attempts that waited for their turn before they started.");
        meter.CreateObservableGauge(
            "polyjuice.log.out",
            () => Sum(static engine => Volatile.Read(ref engine.Statistics.LogsOut)),
            "{log}",
            "Logs and rows of this silo's that can't be written at present: transactions that need them are refused.");
        meter.CreateObservableCounter(
            "polyjuice.log.append_failures",
            () => Sum(static engine => Volatile.Read(ref engine.Statistics.AppendFailures)),
            "{append}",
            "Appends, and reads of a take-over, that failed and were tried again.");
        ObserveTraces(meter);
        ObserveReconnaissance(meter);
    }

    private void ObserveTraces(Meter meter)
    {
        meter.CreateObservableGauge(
            "polyjuice.trace.recordings",
            () => Array.Exists(_engines, static engine => engine.Recording.Recorder is not null) ? 1L : 0L,
            "{recording}", "Recordings of a trace under way.");
        meter.CreateObservableCounter(
            "polyjuice.trace.attempts", () => Sum(static engine => engine.Recording.Recorder?.RecordedAttempts ?? 0),
            "{attempt}",
            "Attempts that the present recording has; like its other instruments, from 0 again with the next one.");
        meter.CreateObservableCounter(
            "polyjuice.trace.dropped", () => Sum(static engine => engine.Recording.Recorder?.DroppedRecords ?? 0),
            "{record}",
            "Attempts and accesses within windows that the present recording has not, because its sink was too slow "
            + "or failed.");
        meter.CreateObservableCounter(
            "polyjuice.trace.size", () => Sum(static engine => engine.Recording.Recorder?.WrittenBytes ?? 0), "By",
            "Bytes that the present recording has written.");
    }

    private void ObserveReconnaissance(Meter meter)
    {
        meter.CreateObservableCounter(
            "polyjuice.reconnaissance.dry_runs",
            () => Sum(static engine => Volatile.Read(ref engine.Statistics.DryRuns)),
            "{run}",
            "Bodies that were run dry.");
        meter.CreateObservableCounter(
            "polyjuice.reconnaissance.learned",
            () => Sum(static engine => Volatile.Read(ref engine.Statistics.LearnedAccessSets)),
            "{attempt}",
            "Attempts that needed no dry run, because what they were to access was learned from others.");
        meter.CreateObservableCounter(
            "polyjuice.reconnaissance.reservations",
            () => Sum(static engine => Volatile.Read(ref engine.Statistics.Reservations)),
            "{attempt}",
            "Attempts that reserved what they were to access, and ran.");
    }

    private long Sum(Func<EngineParts, long> read) => _engines.Sum(read);

    private IEnumerable<Measurement<int>> Chosen() => _engines
        .Select(static engine => engine.Tables.ChosenTable).OfType<string>().Distinct(StringComparer.Ordinal)
        .Select(static table => new Measurement<int>(1, new KeyValuePair<string, object?>("table", table)));
}
