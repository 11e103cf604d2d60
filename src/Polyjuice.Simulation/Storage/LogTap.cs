using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// Sees the records in append requests: for the trace, and to hold or fail the appends that a test names.
/// </summary>
internal sealed class LogTap
{
    private readonly SimulatedLogs _logs;
    private readonly List<AppendRule> _rules = [];

    public LogTap(SimulatedLogs logs)
    {
        _logs = logs;
        logs.Hook = Judge;
    }

    /// <summary>Gives a fate to the appends that match.</summary>
    public AppendRule Rule(AppendFate fate, Func<AppendRequest, IReadOnlyList<TappedRecord>, bool> matches)
    {
        var rule = new AppendRule(_logs, fate, matches);
        _rules.Add(rule);
        return rule;
    }

    /// <summary>Holds appends to a partition that carry such a record.</summary>
    public AppendRule Hold(int partition, LogRecordKind kind) =>
        Rule(AppendFate.Hold, (request, records) => request.Partition == partition && records.Any(r => r.Kind == kind));

    public static string Describe(byte[] batch) => string.Join(", ", Read(batch));

    /// <summary>A bit per kind of record in a batch.</summary>
    public static ulong KindsOf(ReadOnlySpan<byte> batch)
    {
        var kinds = 0UL;
        var reader = new ByteReader(batch, WireTap.Names);
        LogRecords.ReadVersion(ref reader);
        while (!reader.IsEmpty) kinds |= 1UL << reader.LengthPrefixed()[0];
        return kinds;
    }

    public static IReadOnlyList<TappedRecord> Read(byte[] batch)
    {
        var records = new List<TappedRecord>();
        var reader = new ByteReader(batch, WireTap.Names);
        LogRecords.ReadVersion(ref reader);
        while (!reader.IsEmpty)
        {
            var record = new ByteReader(reader.LengthPrefixed(), WireTap.Names);
            var kind = (LogRecordKind)record.Byte();
            records.Add(kind switch
            {
                LogRecordKind.Fence or LogRecordKind.OldestLive => new TappedRecord(kind, default, null),
                LogRecordKind.Ceiling => new TappedRecord(kind, default, (record.Int() >> 8) - SimulatedCluster.Epoch),
                LogRecordKind.Resolved or LogRecordKind.Outcome =>
                    new TappedRecord(kind, Message.ReadId(ref record), record.Byte()),
                LogRecordKind.Commit => Commit(RecoveredCommit.Read(ref record)),
                _ => new TappedRecord(kind, Message.ReadId(ref record), null),
            });
        }

        return records;
    }

    public static TappedRecord Commit(RecoveredCommit commit) =>
        new(LogRecordKind.Commit, commit.Id, commit.Dependencies.Length);

    private AppendFate Judge(AppendRequest request)
    {
        if (!_rules.Exists(r => r.IsOn)) return AppendFate.Usual;
        var records = Read(request.Bytes);
        foreach (var rule in _rules)
        {
            if (rule.Takes(request, records)) return rule.Fate;
        }

        return AppendFate.Usual;
    }
}

/// <summary>A log record, as far as tests look into it.</summary>
/// <param name="Kind">Which kind.</param>
/// <param name="Transaction">Whose.</param>
/// <param name="Value">An outcome (0 is aborted), the number of dependencies of a commit, a ceiling.</param>
internal readonly record struct TappedRecord(LogRecordKind Kind, TransactionId Transaction, long? Value)
{
    public override string ToString() =>
        Kind switch
        {
            LogRecordKind.Fence => "fence",
            LogRecordKind.OldestLive => "oldest live",
            LogRecordKind.Ceiling => $"ceiling {Value}",
            LogRecordKind.Resolved or LogRecordKind.Outcome =>
                $"{Kind} {Transaction}={(Value != 0 ? "committed" : "aborted")}",
            _ => $"{Kind} {Transaction}",
        };
}

/// <summary>What a test wants to happen to certain appends.</summary>
internal sealed class AppendRule(
    SimulatedLogs logs, AppendFate fate, Func<AppendRequest, IReadOnlyList<TappedRecord>, bool> matches)
{
    private readonly List<AppendRequest> _taken = [];

    public AppendFate Fate => fate;

    public bool IsOn { get; private set; } = true;

    public IReadOnlyList<AppendRequest> Taken => _taken;

    public bool Takes(AppendRequest request, IReadOnlyList<TappedRecord> records)
    {
        if (!IsOn || !matches(request, records)) return false;
        _taken.Add(request);
        return true;
    }

    public void Off() => IsOn = false;

    /// <summary>What is held never reaches the storage.</summary>
    public void Lose()
    {
        Off();
        foreach (var request in _taken) logs.Lose(request);
    }

    /// <summary>Lets everything happen that was held, and takes nothing more.</summary>
    public void Release(AppendFate how = AppendFate.Work)
    {
        Off();
        foreach (var request in _taken)
        {
            if (logs.Held.Contains(request)) logs.Release(request, how);
        }
    }
}
