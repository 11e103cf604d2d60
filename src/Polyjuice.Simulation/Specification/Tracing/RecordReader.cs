using Polyjuice.Contracts;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Tracing;

/// <summary>Reads batches of a log, and changes of a row, as the specification takes them.</summary>
internal static class RecordReader
{
    /// <summary>The records of a batch.</summary>
    public static IReadOnlyList<LoggedRecord> Read(ReadOnlySpan<byte> batch)
    {
        var records = new List<LoggedRecord>();
        var reader = new ByteReader(batch, WireTap.Names);
        LogRecords.ReadVersion(ref reader);
        while (!reader.IsEmpty)
        {
            var record = new ByteReader(reader.LengthPrefixed(), WireTap.Names);
            records.Add(ReadRecord((LogRecordKind)record.Byte(), ref record));
        }

        return records;
    }

    /// <summary>What is new in a row, and what the row says now.</summary>
    public static IReadOnlyList<LoggedRecord> Read(
        List<(TappedRecord Record, RecoveredPrepare? Prepare)> changes, LogImage image)
    {
        var records = new List<LoggedRecord>(changes.Count);
        foreach (var (record, prepare) in changes)
        {
            var commit = record.Kind == LogRecordKind.Commit ? image.Commits.Find(record.Transaction) : null;
            if (record.Kind is LogRecordKind.Prepare && prepare is null) continue;
            records.Add(new LoggedRecord
            {
                Kind = record.Kind,
                Id = record.Transaction,
                Prepare = prepare,
                Commit = commit,
                Committed = record.Value == 1
            });
        }

        return records;
    }

    /// <summary>What a row says.</summary>
    public static RowContents ReadRow(LogImage image, ParticipantKey key)
    {
        var state = image.States.Find(key);
        HashSet<TransactionId> committed =
        [
            .. image.Outcomes.Where(static outcome => outcome.Value).Select(static outcome => outcome.Key)
        ];
        RecoveredCommit[] commits = [.. image.Commits.Ids.Select(id => image.Commits.Find(id)!)];
        return new RowContents(
            [.. image.Prepares],
            commits,
            committed,
            state?.Version ?? default,
            state?.Timestamp ?? 0,
            Math.Max(image.Ceiling, image.MaxTimestamp));
    }

    private static LoggedRecord ReadRecord(LogRecordKind kind, ref ByteReader record)
    {
        switch (kind)
        {
            case LogRecordKind.Fence:
                return new LoggedRecord { Kind = kind, Node = new NodeId(record.Int()) };
            case LogRecordKind.Ceiling:
                return new LoggedRecord { Kind = kind, Ceiling = record.Int() };
            case LogRecordKind.Prepare or LogRecordKind.Staged:
                var prepare = RecoveredPrepare.Read(ref record, kind);
                return new LoggedRecord { Kind = kind, Id = prepare.Id, Prepare = prepare };
            case LogRecordKind.Commit:
                var commit = RecoveredCommit.Read(ref record);
                return new LoggedRecord { Kind = kind, Id = commit.Id, Commit = commit };
            case LogRecordKind.Resolved or LogRecordKind.Outcome:
                return new LoggedRecord
                {
                    Kind = kind, Id = Message.ReadId(ref record), Committed = record.Byte() != 0
                };
            case LogRecordKind.Forget:
                return new LoggedRecord { Kind = kind, Id = Message.ReadId(ref record) };
            case LogRecordKind.OldestLive:
                return new LoggedRecord { Kind = kind, Dead = ReadDead(ref record) };
            default:
                return new LoggedRecord { Kind = kind };
        }
    }

    private static List<NodeId> ReadDead(ref ByteReader record)
    {
        var dead = new List<NodeId>();
        for (var n = record.Count(); n > 0; n--)
        {
            var node = new NodeId(record.Int());
            if (record.Int() == LogRecords.NoneLive) dead.Add(node);
        }

        return dead;
    }
}
