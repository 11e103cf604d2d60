using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Commit;

/// <summary>A commit record as read back.</summary>
internal sealed record RecoveredCommit(
    TransactionId Id, int Round, long Timestamp, ParticipantUse[] Parts, List<int> MustAcknowledge, CommitDependency[] Dependencies);

/// <summary>What a log says up to a fence.</summary>
internal sealed class LogImage
{
    private readonly Dictionary<TransactionId, LinkedListNode<RecoveredPrepare>> _prepares = [];
    private readonly LinkedList<RecoveredPrepare> _order = [];

    public IEnumerable<RecoveredPrepare> Prepares => _order;

    public Dictionary<TransactionId, RecoveredCommit> Commits { get; } = [];

    public Dictionary<TransactionId, bool> Resolutions { get; } = [];

    public Dictionary<TransactionId, bool> Outcomes { get; } = [];

    public HashSet<TransactionId> Forgotten { get; } = [];

    public long Ceiling { get; private set; }

    public long MaxTimestamp { get; private set; }

    public void Add(ReadOnlySpan<byte> batch)
    {
        var reader = new ByteReader(batch);
        while (!reader.IsEmpty)
        {
            var record = new ByteReader(reader.LengthPrefixed());
            var kind = (LogRecordKind)record.Byte();
            switch (kind)
            {
                case LogRecordKind.Fence:
                    break;
                case LogRecordKind.Ceiling:
                    Ceiling = Math.Max(Ceiling, record.Int());
                    break;
                case LogRecordKind.Prepare:
                    AddPrepare(RecoveredPrepare.Read(ref record));
                    break;
                case LogRecordKind.Commit:
                    AddCommit(ref record);
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
                default:
                    throw new CodingException($"The log holds a record of kind {(byte)kind}, which this version does not know; a newer version wrote it.");
            }
        }
    }

    /// <summary>Committed, aborted, or undecided as far as this log alone can tell.</summary>
    public bool? OutcomeOf(TransactionId id, int partition, bool ignoreDependencies)
    {
        if (Outcomes.TryGetValue(id, out var outcome)) return outcome;
        if (Resolutions.TryGetValue(id, out var resolution)) return resolution;
        if (Commits.TryGetValue(id, out var commit) && (commit.Dependencies.Length == 0 || ignoreDependencies)) return true;
        return null;
    }

    private void AddPrepare(RecoveredPrepare prepare)
    {
        // A later round replaces the earlier one, at its own place in the order (R2).
        if (_prepares.Remove(prepare.Id, out var earlier)) _order.Remove(earlier);
        _prepares.Add(prepare.Id, _order.AddLast(prepare));
        MaxTimestamp = Math.Max(MaxTimestamp, prepare.Timestamp);
    }

    private void AddCommit(ref ByteReader record)
    {
        var id = Message.ReadId(ref record);
        var round = (int)record.Int();
        var timestamp = record.Int();
        var parts = Message.ReadParts(ref record);
        var acknowledge = new List<int>();
        for (var n = record.Count(); n > 0; n--) acknowledge.Add((int)record.Int());
        Commits[id] = new RecoveredCommit(id, round, timestamp, parts, acknowledge, Message.ReadDependencies(ref record));
    }
}
