using System.Diagnostics;
using System.Diagnostics.Metrics;
using Polyjuice.Execution;

namespace Polyjuice.Diagnostics;

/// <summary>The meter <c>Polyjuice</c>. No grain key is ever a dimension: sites, types and reasons are few, grains are not.</summary>
internal sealed class EngineMetrics : IDisposable
{
    /// <summary>The activity source <c>Polyjuice</c>: one activity per transaction, when somebody listens.</summary>
    public static readonly ActivitySource Activities = new("Polyjuice");

    private readonly Meter _meter = new("Polyjuice");
    private readonly Counter<long> _commits;
    private readonly Counter<long> _aborts;
    private readonly Histogram<double> _waits;
    private readonly Histogram<int> _cascades;
    private readonly Histogram<int> _attempts;

    public EngineMetrics(TransactionEngine engine)
    {
        _commits = _meter.CreateCounter<long>("polyjuice.commits", "{transaction}", "Transactions committed.");
        _aborts = _meter.CreateCounter<long>("polyjuice.aborts", "{attempt}", "Attempts aborted, by reason.");
        _waits = _meter.CreateHistogram<double>("polyjuice.wait.duration", "s", "Time that accesses waited for other transactions, by site.");
        _cascades = _meter.CreateHistogram<int>("polyjuice.cascade.length", "{transaction}", "Transactions that one aborted version took with it.");
        _attempts = _meter.CreateHistogram<int>("polyjuice.attempts", "{attempt}", "Attempts of transactions that needed more than one.");
        _meter.CreateObservableGauge("polyjuice.policy.version", () => engine.PolicyVersion, "{swap}", "The policy table in force.");
        _meter.CreateObservableGauge("polyjuice.admission.waiting", () => engine.HeldAttempts, "{attempt}", "Attempts that wait until others of their kind have ended.");
    }

    public void Committed() => _commits.Add(1);

    public void Aborted(AbortReason reason)
    {
        if (_aborts.Enabled) _aborts.Add(1, new KeyValuePair<string, object?>("reason", reason.ToString()));
    }

    public void Waited(long microseconds, string site)
    {
        if (_waits.Enabled) _waits.Record(microseconds / 1e6, new KeyValuePair<string, object?>("site", site));
    }

    public void Cascade(int length)
    {
        if (length > 0) _cascades.Record(length);
    }

    public void Attempts(int attempts) => _attempts.Record(attempts);

    public void Dispose() => _meter.Dispose();
}
