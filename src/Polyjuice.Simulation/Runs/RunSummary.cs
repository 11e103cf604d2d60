using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Runs;

/// <summary>What many runs came to. Not thread-safe.</summary>
internal sealed class RunSummary
{
    private readonly long[] _aborts = new long[AbortReasonExtensions.Count];
    private readonly long[] _faults = new long[FaultLedger.Kinds.Count];
    private readonly List<double> _shares = [];
    private readonly List<long> _faultsOfRun = [];
    private readonly ProtocolCoverage _coverage = new();
    private readonly HashSet<int> _features = [];
    private long _attempts;
    private long _resumes;
    private long _reordered;
    private ulong _digest;

    /// <summary>Runs that were added.</summary>
    public int Runs => _shares.Count;

    /// <summary>Transactions that clients asked for.</summary>
    public long Transactions { get; private set; }

    /// <summary>Those that they were told to be committed.</summary>
    public long Committed { get; private set; }

    /// <summary>
    /// Runs with at least 200 transactions, at least 5 faults, and at least 30% of attempts committed.
    /// </summary>
    public int StandardRuns { get; private set; }

    /// <summary>Features of states of the protocol that were reached, if runs looked for them.</summary>
    public int Features => _features.Count;

    /// <summary>Events of all loops.</summary>
    public long Events { get; private set; }

    /// <summary>Virtual time of all runs.</summary>
    public long VirtualMicroseconds { get; private set; }

    /// <summary>All digests; in whatever order runs were added.</summary>
    public string Digest => _digest.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>What was never hit.</summary>
    public IReadOnlyList<string> Holes => [.. _coverage.Holes()];

    /// <summary>Adds a run.</summary>
    public void Add(ulong seed, RunResult run)
    {
        var share = run.Attempts == 0 ? 1 : (double)run.Committed / run.Attempts;
        _shares.Add(share);
        _faultsOfRun.Add(run.Faults.Total);
        if (run.Transactions >= 200 && run.Faults.Total >= 5 && share >= 0.3) StandardRuns++;
        for (var i = 0; i < _aborts.Length; i++) _aborts[i] += run.AbortsByReason[i];
        for (var i = 0; i < _faults.Length; i++) _faults[i] += run.Faults[FaultLedger.Kinds[i]];
        _coverage.Add(run.Coverage);
        if (run.Features is { } features) _features.UnionWith(features.Reached.Select(feature => feature.Place));
        _attempts += run.Attempts;
        _resumes += run.Resumes;
        _reordered += run.Reordered;
        _digest += SimulationRandom.Mix(run.Digest ^ SimulationRandom.Mix(seed));
        Transactions += run.Transactions;
        Committed += run.Committed;
        Events += run.Events;
        VirtualMicroseconds += run.VirtualMicroseconds;
    }

    /// <summary>Adds those of another.</summary>
    public void Add(RunSummary other)
    {
        _shares.AddRange(other._shares);
        _faultsOfRun.AddRange(other._faultsOfRun);
        StandardRuns += other.StandardRuns;
        for (var i = 0; i < _aborts.Length; i++) _aborts[i] += other._aborts[i];
        for (var i = 0; i < _faults.Length; i++) _faults[i] += other._faults[i];
        _coverage.Add(other._coverage);
        _features.UnionWith(other._features);
        _attempts += other._attempts;
        _resumes += other._resumes;
        _reordered += other._reordered;
        _digest += other._digest;
        Transactions += other.Transactions;
        Committed += other.Committed;
        Events += other.Events;
        VirtualMicroseconds += other.VirtualMicroseconds;
    }

    /// <summary>For people, line by line.</summary>
    public IEnumerable<string> Lines()
    {
        if (Runs == 0) yield break;
        var culture = CultureInfo.InvariantCulture;
        yield return string.Create(
            culture,
            $"transactions    {Transactions:N0}, of which {Committed:N0} committed in {_attempts:N0} runs of their "
            + $"bodies ({_resumes:N0} of them resumed)");
        yield return "aborts          "
            + Join(_aborts.Select((count, reason) => (((AbortReason)reason).ToString(), count)));
        yield return "faults          "
            + Join(
                FaultLedger.Kinds.Select((kind, i) => (FaultNames.NameOf(kind), _faults[i]))
                    .Append(("messages overtaken", _reordered)));
        var missing = FaultLedger.Kinds.Where((_, i) => _faults[i] == 0).Select(FaultNames.NameOf).ToArray();
        if (missing.Length > 0) yield return $"                never: {string.Join(", ", missing)}";
        _shares.Sort();
        _faultsOfRun.Sort();
        yield return "per seed        "
            + string.Create(
                culture,
                $"of attempts committed: least {_shares[0]:P0}, 1% {At(_shares, 1):P0}, 10% {At(_shares, 10):P0}, "
                + $"median {At(_shares, 50):P0}, 90% {At(_shares, 90):P0}, most {_shares[^1]:P0}");
        yield return "                "
            + string.Create(
                culture,
                $"faults: least {_faultsOfRun[0]:N0}, 1% {At(_faultsOfRun, 1):N0}, 10% {At(_faultsOfRun, 10):N0}, "
                + $"median {At(_faultsOfRun, 50):N0}, 90% {At(_faultsOfRun, 90):N0}, most {_faultsOfRun[^1]:N0}");
        yield return string.Create(
            culture,
            $"                {StandardRuns:N0} of {Runs:N0} seeds had at least 200 transactions, 5 faults and 30% of "
            + $"attempts committed");
        foreach (var line in CoverageLines()) yield return line;
        if (Features > 0)
            yield return string.Create(
                culture, $"states          {Features:N0} features of states of the protocol were reached");
        yield return $"digest          {Digest}";
    }

    private static T At<T>(List<T> sorted, int percent) => sorted[(int)((sorted.Count - 1L) * percent / 100)];

    private static string Join(IEnumerable<(string Name, long Count)> counts)
    {
        var parts = counts.Where(c => c.Count > 0)
            .Select(c => string.Create(CultureInfo.InvariantCulture, $"{c.Name} {c.Count:N0}")).ToArray();
        return parts.Length == 0 ? "none" : string.Join(" · ", parts);
    }

    private IEnumerable<string> CoverageLines()
    {
        // A host that looks into no message covers nothing that could be told.
        if (!_coverage.HasSeenMessages) yield break;
        yield return "messages lost   " + Join(_coverage.ByMessage.Select(m => (m.Kind, m.Lost)));
        yield return "crashes between the receipt of a message and what follows from it";
        yield return "                " + Join(_coverage.ByMessage.Select(m => (m.Kind, m.Unhandled)));
        yield return "crashes in a flush, before a message of it was sent";
        yield return "                " + Join(_coverage.ByMessage.Select(m => (m.Kind, m.Unsent)));
        yield return "crashes after a record was handed to the storage and before it was written";
        yield return "                " + Join(_coverage.ByRecord.Select(r => (r.Kind, r.Unwritten)));
        yield return "crashes after a record was written and before that was known";
        yield return "                "
            + Join(
                _coverage.ByRecord.Select(r => (r.Kind, r.Unheard))
                    .Append(("while a log was read", _coverage.LogReadsInterrupted)));
        var holes = Holes;
        yield return holes.Count == 0
            ? "holes           none: every message was lost, and every step interrupted"
            : $"holes           {string.Join("; ", holes)}";
    }
}
