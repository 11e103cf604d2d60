using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// Reads rows as the engine does, to see what a change of one says: the records that a log would have got.
/// </summary>
internal sealed class RowTap(ParticipantKey key, AccountCodec codec)
{
    private readonly RowReader<Account> _reader = new(
        key, WireTap.Names.NumberOf(new RowKey(key.Grain, key.State)), codec, WireTap.Names, ProtocolBreaks.None);

    /// <summary>The row's number as taps have it.</summary>
    public int Partition { get; } = WireTap.Names.NumberOf(new RowKey(key.Grain, key.State));

    /// <summary>The state that is kept there.</summary>
    public ParticipantKey Key => key;

    /// <summary>The position of the batch that was stored last.</summary>
    public long PositionOf(RowContent<Account> content) => _reader.View(content).Head?.Position ?? -1;

    /// <summary>What a row says now, nothing folded away.</summary>
    public LogImage Image(RowContent<Account> content) => _reader.Read(content, []);

    /// <summary>Prepared states that count.</summary>
    public IReadOnlyList<RowEntry> Entries(RowContent<Account> content) => _reader.View(content).Entries;

    /// <summary>The records that make the one row into the other.</summary>
    public List<(TappedRecord Record, RecoveredPrepare? Prepare)> Read(
        RowContent<Account> before, RowContent<Account> after)
    {
        var (old, now) = (Image(before), Image(after));
        var records = new List<(TappedRecord, RecoveredPrepare?)>();
        if (now.Ceiling > old.Ceiling)
            records.Add(
                (new TappedRecord(
                    LogRecordKind.Ceiling, default,
                    (now.Ceiling >> HybridClock.LogicalBits) - SimulatedCluster.Epoch), null));
        foreach (var prepare in now.Prepares)
        {
            if (old.FindPrepare(prepare.Id)?.Round != prepare.Round)
                records.Add((new TappedRecord(LogRecordKind.Prepare, prepare.Id, null), prepare));
        }

        foreach (var commit in now.Commits)
        {
            if (old.Commits.Find(commit.Id) is not { } earlier) records.Add((LogTap.Commit(commit), null));
            else if (earlier.Dependencies.Length > commit.Dependencies.Length)
                records.Add((new TappedRecord(LogRecordKind.Resolved, commit.Id, 1), null));
        }

        foreach (var commit in old.Commits)
        {
            if (!now.Commits.Contains(commit.Id))
                records.Add(
                    (commit.Dependencies.Length > 0
                        ? new TappedRecord(LogRecordKind.Resolved, commit.Id, 0)
                        : new TappedRecord(LogRecordKind.Forget, commit.Id, null), null));
        }

        var committed = Committed(before, after);
        foreach (var id in now.Outcomes.Keys)
        {
            if (!old.Outcomes.ContainsKey(id)) records.Add((new TappedRecord(LogRecordKind.Outcome, id, 1), null));
        }

        foreach (var prepare in old.Prepares)
        {
            if (now.FindPrepare(prepare.Id) is not null || now.Outcomes.ContainsKey(prepare.Id)
                || now.Commits.Contains(prepare.Id))
                continue;
            var isCommitted = committed.Contains(prepare.Id) || prepare.Writes.Count == 0;
            records.Add((new TappedRecord(LogRecordKind.Outcome, prepare.Id, isCommitted ? 1 : 0), null));
        }

        return records;
    }

    private HashSet<TransactionId> Committed(RowContent<Account> before, RowContent<Account> after) =>
        [
            .. _reader.View(before).Entries.Where(entry => entry.SequenceId <= after.CommittedSequenceId)
            .Select(entry => entry.Id)
        ];
}
