using System.Diagnostics;
using System.Diagnostics.Metrics;
using Polyjuice.Execution;
using Polyjuice.Policies;

namespace Polyjuice.Diagnostics;

/// <summary>
/// The meter <c>Polyjuice</c>. No grain key is ever a dimension: sites, types and reasons are few, grains are not. Its scope (<see cref="Meter.Scope"/>) is the <see cref="PolicyStore"/> of the engine's
/// process, which tells a listener the engines of one cluster from those of another.
/// </summary>
internal sealed class EngineMetrics : IDisposable
{
    private readonly Meter _meter;
    private readonly Counter<long> _commits;
    private readonly Counter<long> _aborts;
    private readonly Histogram<double> _durations;
    private readonly Histogram<double> _waits;
    private readonly Histogram<int> _chains;
    private readonly Histogram<int> _cascades;
    private readonly Histogram<int> _attempts;

    public EngineMetrics(TransactionEngine engine, PolicyStore policies)
    {
        _meter = new Meter(new MeterOptions("Polyjuice") { Scope = policies });
        _commits = _meter.CreateCounter<long>("polyjuice.commits", "{transaction}", "Transactions committed.");
        _aborts = _meter.CreateCounter<long>("polyjuice.aborts", "{attempt}", "Attempts aborted, by reason and transaction type.");
        _durations = _meter.CreateHistogram<double>("polyjuice.transaction.duration", "s", "Time from a transaction's first attempt until it was committed, retries and the wait to start included, by transaction type.");
        _waits = _meter.CreateHistogram<double>("polyjuice.wait.duration", "s", "Time that accesses waited for other transactions, by transaction type, site, type of the other and outcome.");
        _chains = _meter.CreateHistogram<int>("polyjuice.dependency.chain", "{transaction}", "Undecided transactions, each built upon the one before, that a transaction stands on when a participant orders it.");
        _cascades = _meter.CreateHistogram<int>("polyjuice.cascade.length", "{transaction}", "Transactions that one aborted version took with it.");
        _attempts = _meter.CreateHistogram<int>("polyjuice.attempts", "{attempt}", "Attempts of transactions that needed more than one.");
        _meter.CreateObservableGauge("polyjuice.policy.version", () => engine.PolicyVersion, "{swap}", "The policy table in force.");
        _meter.CreateObservableGauge("polyjuice.admission.waiting", () => engine.HeldAttempts, "{attempt}", "Attempts that wait until others of their kind have ended.");
        _meter.CreateObservableGauge(
            "polyjuice.admission.limit", () => engine.AttemptLimit, "{attempt}",
            "Attempts of contended types that may run at a time; 0 while none is held back.");
        _meter.CreateObservableCounter("polyjuice.admission.held", () => Volatile.Read(ref engine.Statistics.Held), "{attempt}", "Attempts that waited for their turn before they started.");
        _meter.CreateObservableGauge("polyjuice.log.out", () => Volatile.Read(ref engine.Statistics.LogsOut), "{log}", "Logs and rows of this silo's that can't be written at present: transactions that need them are refused.");
        _meter.CreateObservableCounter("polyjuice.log.append_failures", () => Volatile.Read(ref engine.Statistics.AppendFailures), "{append}", "Appends, and reads of a take-over, that failed and were tried again.");
        _meter.CreateObservableCounter("polyjuice.reconnaissance.dry_runs", () => Volatile.Read(ref engine.Statistics.DryRuns), "{run}", "Bodies that were run dry.");
        _meter.CreateObservableCounter("polyjuice.reconnaissance.learned", () => Volatile.Read(ref engine.Statistics.LearnedAccessSets), "{attempt}", "Attempts that needed no dry run, because what they were to access was learned from others.");
        _meter.CreateObservableCounter("polyjuice.reconnaissance.reservations", () => Volatile.Read(ref engine.Statistics.Reservations), "{attempt}", "Attempts that reserved what they were to access, and ran.");
    }

    /// <summary>Whether anybody wants to know how long transactions take, which is worth computing only then.</summary>
    public bool TimesTransactions => _durations.Enabled;

    /// <summary>Whether anybody wants to know of waits.</summary>
    public bool TimesWaits => _waits.Enabled;

    /// <summary>Whether anybody wants to know the chains of dependencies, which have to be walked.</summary>
    public bool MeasuresChains => _chains.Enabled;

    public void Committed() => _commits.Add(1);

    public void Took(long microseconds, string type) => _durations.Record(microseconds / 1e6, new KeyValuePair<string, object?>("type", type));

    public void Aborted(AbortReason reason, string type)
    {
        if (_aborts.Enabled) _aborts.Add(1, new KeyValuePair<string, object?>("reason", reason.ToString()), new KeyValuePair<string, object?>("type", type));
    }

    /// <summary>A wait has ended.</summary>
    /// <param name="microseconds">How long it was.</param>
    /// <param name="type">Who waited.</param>
    /// <param name="site">Before which access.</param>
    /// <param name="target">The type of the transaction that was waited for.</param>
    /// <param name="isSatisfied">Whether what was waited for has happened; if not, who waited was aborted.</param>
    public void Waited(long microseconds, string type, string site, string target, bool isSatisfied) =>
        _waits.Record(microseconds / 1e6, new TagList { { "type", type }, { "site", site }, { "target", target }, { "outcome", isSatisfied ? "satisfied" : "aborted" } });

    public void Chain(int length) => _chains.Record(length);

    public void Cascade(int length)
    {
        if (length > 0) _cascades.Record(length);
    }

    public void Attempts(int attempts) => _attempts.Record(attempts);

    public void Dispose() => _meter.Dispose();
}
