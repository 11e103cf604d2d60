using System.Globalization;
using System.Text;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// A log record for people and tools: what kind it is, and its fields by name. Values are text, whole numbers, truth
/// values, and lists of those or of fields.
/// </summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Fields">In the order in which they are written.</param>
internal sealed record LogRecordText(LogRecordKind Kind, IReadOnlyList<KeyValuePair<string, object>> Fields)
{
    /// <summary>The records of a batch, or of a checkpoint's piece.</summary>
    /// <exception cref="CodingException">It holds what this version does not understand.</exception>
    /// <exception cref="Storage.LogVersionException">A newer version wrote it.</exception>
    public static List<LogRecordText> Read(ReadOnlySpan<byte> batch)
    {
        var records = new List<LogRecordText>();
        var names = new PartitionNames();
        var reader = new ByteReader(batch, names);
        LogRecords.ReadVersion(ref reader);
        while (!reader.IsEmpty)
        {
            var record = new ByteReader(reader.LengthPrefixed(), names);
            records.Add(ReadRecord(ref record, names));
        }

        return records;
    }

    private static LogRecordText ReadRecord(ref ByteReader record, PartitionNames names)
    {
        var kind = (LogRecordKind)record.Byte();
        var fields = new List<KeyValuePair<string, object>>();
        void Add(string name, object value) => fields.Add(new(name, value));
        switch (kind)
        {
            case LogRecordKind.Fence:
                Add("node", new NodeId(record.Int()).ToString());
                break;
            case LogRecordKind.Ceiling or LogRecordKind.Latest:
                Add("timestamp", Timestamp(record.Int()));
                break;
            case LogRecordKind.Prepare or LogRecordKind.Staged:
                AddPrepare(RecoveredPrepare.Read(ref record, kind), names, Add);
                break;
            case LogRecordKind.Commit:
                AddCommit(ref record, names, Add);
                break;
            case LogRecordKind.Resolved:
                Add("id", Message.ReadId(ref record).ToString());
                Add("committed", record.Byte() != 0);
                break;
            case LogRecordKind.Outcome:
                Add("id", Message.ReadId(ref record).ToString());
                Add("committed", record.Byte() != 0);
                Add("manager", Acknowledger(record.Partition(), names));
                break;
            case LogRecordKind.Forget:
                Add("id", Message.ReadId(ref record).ToString());
                break;
            case LogRecordKind.OldestLive:
                for (var n = record.Count(); n > 0; n--)
                {
                    var node = new NodeId(record.Int());
                    var oldest = record.Int();
                    Add(node.ToString(), oldest == long.MaxValue ? "dead" : oldest);
                }

                break;
            case LogRecordKind.State:
                var key = LogRecords.ReadKey(ref record);
                AddKey(key, Add);
                Add("version", Version(LogRecords.ReadVersionId(ref record)));
                Add("timestamp", Timestamp(record.Int()));
                Add("codec", record.String());
                Add("state", Bytes(record.LengthPrefixed()));
                break;
            default:
                throw new CodingException($"a record is of kind {(byte)kind}, which this version does not know");
        }

        return new LogRecordText(kind, fields);
    }

    private static void AddCommit(ref ByteReader record, PartitionNames names, Action<string, object> add)
    {
        add("id", Message.ReadId(ref record).ToString());
        add("round", record.Int());
        add("timestamp", Timestamp(record.Int()));
        add("parts", Parts(Message.ReadParts(ref record), names));
        var acknowledge = new List<object>();
        for (var n = record.Count(); n > 0; n--) acknowledge.Add(Acknowledger(record.Partition(), names));
        add("mustAcknowledge", acknowledge);
        var dependencies = Message.ReadDependencies(ref record)
            .Select(object (d) => $"{d.Transaction}@{Name(d.Partition, names)}e{d.Epoch}");
        add("dependencies", dependencies.ToList());
    }

    private static void AddPrepare(RecoveredPrepare prepare, PartitionNames names, Action<string, object> add)
    {
        add("id", prepare.Id.ToString());
        add("type", prepare.Type);
        add("round", (long)prepare.Round);
        add("timestamp", Timestamp(prepare.Timestamp));
        add("manager", prepare.Manager < 0 ? "none" : $"{Name(prepare.Manager, names)}e{prepare.ManagerEpoch}");
        add("parts", Parts(prepare.Parts, names));
        add("writes", prepare.Writes.Select(object (write) =>
        {
            var fields = new List<KeyValuePair<string, object>>();
            void Add(string name, object value) => fields.Add(new(name, value));
            AddKey(write.Key, Add);
            Add("version", Version(write.Id));
            Add("base", Version(write.Base));
            Add("codec", write.Codec);
            Add("state", Bytes(write.Encoded));
            return fields;
        }).ToList());
        add("dependencies", prepare.Dependencies.Select(object (d) => $"{d.Id}@e{d.Epoch}").ToList());
    }

    private static void AddKey(ParticipantKey key, Action<string, object> add)
    {
        add("grain", key.Grain);
        add("name", key.State);
        add("class", key.GrainClass);
    }

    private static List<object> Parts(ParticipantUse[] parts, PartitionNames names) =>
        [
            .. parts.Select(
                p =>
                    $"{Name(p.Partition, names)}e{p.Epoch} on {p.Node}, {p.Accesses} "
                    + $"accesses{(p.Writes ? ", writes" : "")}")
        ];

    // Logs by their numbers, as ever; rows by their names.
    private static object Acknowledger(int partition, PartitionNames names) =>
        PartitionNames.IsRow(partition) ? Name(partition, names) : (long)partition;

    private static string Name(int partition, PartitionNames names) =>
        names.TryGetKey(partition, out var key) ? $"[{key}]" : $"p{partition}";

    private static string Version(VersionId id) => id == default ? "initial" : $"{id.Transaction}.{id.Write}";

    // Microseconds since 1970, and the logical part that tells apart what happened within one.
    private static string Timestamp(long timestamp) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{timestamp >> HybridClock.LogicalBits}.{timestamp & ((1L << HybridClock.LogicalBits) - 1)}");

    private static string Bytes(ReadOnlySpan<byte> bytes)
    {
        var text = Encoding.UTF8.GetString(bytes);
        return text.Any(c => char.IsControl(c) || c == '\uFFFD') ? "0x" + Convert.ToHexString(bytes) : text;
    }
}
