using System.Diagnostics;
using System.Diagnostics.Metrics;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Diagnostics;

/// <summary>
/// What an engine adds to the meter <c>Polyjuice</c>. No grain key is ever a dimension: sites, types and reasons are
/// few, grains are not. The <see cref="PolicyStore"/> of the engine's process knows the meter, which tells a listener
/// the engines of one cluster from those of another (<see cref="PolicyStore.IsMeasuredBy"/>); a meter that is the
/// engine's own also has it for its scope (<see cref="Meter.Scope"/>).
/// </summary>
internal sealed class EngineMetrics : IEngineMetrics
{
    private readonly Meter _meter;
    private readonly Counter<long> _commits;
    private readonly Counter<long> _aborts;
    private readonly Histogram<double> _durations;
    private readonly Histogram<double> _waits;
    private readonly Histogram<int> _chains;
    private readonly Histogram<int> _cascades;
    private readonly Histogram<int> _attempts;
    private readonly Histogram<double> _appends;
    private readonly Histogram<long> _appendBytes;

    /// <summary>Creates it.</summary>
    /// <param name="engine">What it measures.</param>
    /// <param name="policies">Knows the meter.</param>
    /// <param name="meters">Whose meter it is; one of its own by default.</param>
    /// <param name="together">
    /// The engines of one host, which share its meter: what is read when somebody asks is their sum. By default the
    /// engine is alone.
    /// </param>
    public EngineMetrics(
        EngineParts engine, PolicyStore policies, IMeterFactory? meters = null, MeasuredEngines? together = null)
    {
        _meter = PolyjuiceMeter.Of(meters, scope: policies);

        // First: listeners ask for it when an instrument is made.
        policies.Add(_meter);
        _commits = _meter.CreateCounter<long>("polyjuice.commits", "{transaction}", "Transactions committed.");
        _aborts = _meter.CreateCounter<long>(
            "polyjuice.aborts", "{attempt}", "Attempts aborted, by reason and transaction type.");
        _durations = _meter.CreateHistogram(
            "polyjuice.transaction.duration", "s",
            "Time from a transaction's first attempt until it was committed, retries and the wait to start included, "
            + "by transaction type.",
            tags: null, Buckets.Transactions);
        _waits = _meter.CreateHistogram(
            "polyjuice.wait.duration", "s",
            "Time that accesses waited for other transactions, by transaction type, site, "
            + "type of the other and outcome.",
            tags: null, Buckets.Parts);
        _chains = _meter.CreateHistogram(
            "polyjuice.dependency.chain", "{transaction}",
            "Undecided transactions, each built upon the one before, that a transaction stands on when a participant "
            + "orders it.",
            tags: null, Buckets.Chains);
        _cascades = _meter.CreateHistogram(
            "polyjuice.cascade.length", "{transaction}", "Transactions that one aborted version took with it.",
            tags: null, Buckets.Chains);
        _attempts = _meter.CreateHistogram(
            "polyjuice.attempts", "{attempt}", "Attempts of transactions that needed more than one.", tags: null,
            Buckets.Attempts);
        _appends = _meter.CreateHistogram(
            "polyjuice.log.append.duration", "s",
            "Time from an append's start until it is durable, repetitions included.",
            tags: null, Buckets.Parts);
        _appendBytes = _meter.CreateHistogram(
            "polyjuice.log.append.size", "By", "Bytes of an append's records.", tags: null, Buckets.Bytes);
        (together ?? new()).Add(engine, _meter);
    }

    /// <summary>Whether anybody wants to know how long transactions take, which is worth computing only then.</summary>
    public bool TimesTransactions => _durations.Enabled;

    /// <summary>Whether anybody wants to know of waits.</summary>
    public bool TimesWaits => _waits.Enabled;

    /// <summary>Whether anybody wants to know the chains of dependencies, which have to be walked.</summary>
    public bool MeasuresChains => _chains.Enabled;

    /// <summary>Whether anybody wants to know how long appends take.</summary>
    public bool TimesAppends => _appends.Enabled || _appendBytes.Enabled;

    public void Committed() => _commits.Add(1);

    public void Took(long microseconds, string type) =>
        _durations.Record(microseconds / 1e6, new KeyValuePair<string, object?>("type", type));

    public void Aborted(AbortReason reason, string type)
    {
        if (_aborts.Enabled)
            _aborts.Add(
                1,
                new KeyValuePair<string, object?>("reason", reason.ToString()),
                new KeyValuePair<string, object?>("type", type));
    }

    /// <summary>A wait has ended.</summary>
    /// <param name="microseconds">How long it was.</param>
    /// <param name="type">Who waited.</param>
    /// <param name="site">Before which access.</param>
    /// <param name="target">The type of the transaction that was waited for.</param>
    /// <param name="isSatisfied">Whether what was waited for has happened; if not, who waited was aborted.</param>
    public void Waited(long microseconds, string type, string site, string target, bool isSatisfied) =>
        _waits.Record(
            microseconds / 1e6,
            new TagList
            {
                { "type", type }, { "site", site }, { "target", target },
                { "outcome", isSatisfied ? "satisfied" : "aborted" }
            });

    /// <summary>An append is durable.</summary>
    /// <param name="microseconds">How long that took.</param>
    /// <param name="bytes">Of its records.</param>
    /// <param name="isRow">Whether it went to a row of a storage provider, and not to a log.</param>
    public void Appended(long microseconds, long bytes, bool isRow)
    {
        var store = new KeyValuePair<string, object?>("store", isRow ? "row" : "log");
        _appends.Record(microseconds / 1e6, store);
        _appendBytes.Record(bytes, store);
    }

    public void Chain(int length) => _chains.Record(length);

    public void Cascade(int length)
    {
        if (length > 0) _cascades.Record(length);
    }

    public void Attempts(int attempts) => _attempts.Record(attempts);

    public void Dispose() => _meter.Dispose();
}
