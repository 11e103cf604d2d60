using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Commit;

/// <summary>A commit record as read back.</summary>
internal sealed record RecoveredCommit(
    TransactionId Id, int Round, long Timestamp, ParticipantUse[] Parts, List<int> MustAcknowledge, CommitDependency[] Dependencies)
{
    public static RecoveredCommit Read(ref ByteReader reader)
    {
        var id = Message.ReadId(ref reader);
        var round = (int)reader.Int();
        var timestamp = reader.Int();
        var parts = Message.ReadParts(ref reader);
        var acknowledge = new List<int>();
        for (var n = reader.Count(); n > 0; n--) acknowledge.Add(reader.Partition());
        return new RecoveredCommit(id, round, timestamp, parts, acknowledge, Message.ReadDependencies(ref reader));
    }
}

/// <summary>
/// What a log says up to a position: the fold of its batches, and of nothing else. A checkpoint is one that was written down; adding its pieces and then the batches behind it gives the
/// same as adding all batches.
/// </summary>
internal sealed partial class LogImage
{
    /// <summary>
    /// Records that are added before what is over is folded away; and at least as many as were left the last time, so that folding costs no more than adding. Few, because what is in memory meanwhile is
    /// what makes the garbage collector stop silos.
    /// </summary>
    private const int RecordsBetweenCompactions = 8_192;

    private readonly PrepareTable _prepares;
    private readonly CheckpointedVersions? _below;
    private readonly PartitionNames _names;
    private ByteArena _records = new();
    private ByteArena _spareRecords = new();
    private int _added;
    private int _left;

    /// <summary>An image of everything.</summary>
    /// <param name="names">Of rows that records name; its own when nobody else needs to know.</param>
    public LogImage(PartitionNames? names = null)
    {
        _names = names ?? new PartitionNames();
        _prepares = new PrepareTable(_names) { Records = _records };
        Commits = new CommitTable(_names) { Records = _records };
    }

    /// <summary>An image of which only what has changed is in memory: <see cref="States"/> are those that came after a checkpoint.</summary>
    /// <param name="below">The versions in that checkpoint.</param>
    public LogImage(CheckpointedVersions below) : this() => _below = below;

    /// <summary>The latest committed version of each participant, as far as nothing undecided is below it.</summary>
    public StateTable States { get; } = new();

    /// <summary>In the order in which they were logged: what is undecided, or committed on top of what is undecided, or not folded yet.</summary>
    public IReadOnlyCollection<RecoveredPrepare> Prepares => _prepares;

    public CommitTable Commits { get; }

    public Dictionary<TransactionId, bool> Resolutions { get; } = [];

    public Dictionary<TransactionId, bool> Outcomes { get; } = [];

    public HashSet<TransactionId> Forgotten { get; } = [];

    /// <summary>Each agent's oldest live attempt, at least.</summary>
    public Dictionary<NodeId, long> OldestLive { get; } = [];

    public long Ceiling { get; private set; }

    public long MaxTimestamp { get; private set; }

    /// <summary>Adds the next batch, or piece of a checkpoint.</summary>
    public void Add(ReadOnlySpan<byte> batch)
    {
        AddRecords(batch);
        if (_added > Math.Max(RecordsBetweenCompactions, _left)) Compact();
    }

    private void AddRecords(ReadOnlySpan<byte> batch)
    {
        var reader = new ByteReader(batch, _names);
        LogRecords.ReadVersion(ref reader);
        while (!reader.IsEmpty)
        {
            var bytes = reader.LengthPrefixed();
            var record = new ByteReader(bytes, _names);
            var kind = (LogRecordKind)record.Byte();
            if (kind == LogRecordKind.State && _below is not null)
            {
                _below.Add(bytes);
                continue;
            }

            AddRecord(kind, bytes, ref record);
            _added++;
        }
    }

    /// <summary>Committed, aborted, or undecided as far as this log alone can tell.</summary>
    public bool? OutcomeOf(TransactionId id, bool ignoreDependencies = false)
    {
        if (Outcomes.TryGetValue(id, out var outcome)) return outcome;
        if (Resolutions.TryGetValue(id, out var resolution)) return resolution;
        if (Commits.TryGet(id, out var commit) && (!commit.HasDependencies || ignoreDependencies)) return true;
        return null;
    }

    private void AddRecord(LogRecordKind kind, ReadOnlySpan<byte> bytes, ref ByteReader record)
    {
        switch (kind)
        {
            case LogRecordKind.Fence:
                break;
            case LogRecordKind.Ceiling:
                Ceiling = Math.Max(Ceiling, record.Int());
                break;
            case LogRecordKind.Prepare or LogRecordKind.Staged:
                AddPrepare(bytes);
                break;
            case LogRecordKind.Commit:
                Commits.Add(bytes);
                break;
            case LogRecordKind.Resolved:
                Resolutions[Message.ReadId(ref record)] = record.Byte() != 0;
                break;
            case LogRecordKind.Outcome:
                Outcomes[Message.ReadId(ref record)] = record.Byte() != 0;
                break;
            case LogRecordKind.Forget:
                Forgotten.Add(Message.ReadId(ref record));
                break;
            case LogRecordKind.OldestLive:
                for (var n = record.Count(); n > 0; n--)
                {
                    var node = new NodeId(record.Int());
                    OldestLive[node] = Math.Max(OldestLive.GetValueOrDefault(node), record.Int());
                }

                break;
            case LogRecordKind.State:
                AddState(bytes, ref record);
                break;
            case LogRecordKind.Latest:
                MaxTimestamp = Math.Max(MaxTimestamp, record.Int());
                break;
            default:
                throw new CodingException($"The log holds a record of kind {(byte)kind}, which this version does not know; a newer version wrote it.");
        }
    }

    private void AddState(ReadOnlySpan<byte> bytes, ref ByteReader record)
    {
        var participant = States.NumberOf(KeyOrder.Read(ref record, bytes));
        States.Set(participant, LogRecords.ReadVersionId(ref record), record.Int(), LogRecords.SkipEncoded(ref record, bytes));
    }

    private void AddPrepare(ReadOnlySpan<byte> bytes)
    {
        var prepare = new PrepareReader(bytes);
        prepare.Validate();
        _prepares.Add(prepare, bytes);
        MaxTimestamp = Math.Max(MaxTimestamp, prepare.Timestamp);
    }
}
