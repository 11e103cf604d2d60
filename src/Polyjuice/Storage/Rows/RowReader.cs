using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// Reads a row as a log: what the engine wrote there, and what another engine of the same provider has left.
/// </summary>
internal sealed class RowReader<T>(
    ParticipantKey key, int partition, IStateCodec<T> codec, PartitionNames names,
    ProtocolBreaks breaks) where T : class
{
    private const string ForeignType = "(another engine's)";

    /// <summary>What the row has.</summary>
    public RowView View(RowContent<T> content)
    {
        var head = HeadOf(content.Metadata);
        var entries = new List<RowEntry>();
        var last = content.CommittedSequenceId;
        foreach (var pending in content.PendingStates)
        {
            last = Math.Max(last, pending.SequenceId);
            if (pending.SequenceId <= content.CommittedSequenceId) continue;
            if (ReadPrepare(pending, head, default) is { } prepare)
                entries.Add(new RowEntry(pending.SequenceId, prepare.Id, prepare.Round));
        }

        return new RowView(content.ETag, head, content.CommittedSequenceId, entries, last);
    }

    /// <summary>What the row says.</summary>
    /// <param name="content">The row.</param>
    /// <param name="foreign">Filled with the GUIDs of another engine's transactions.</param>
    public LogImage Read(RowContent<T> content, Dictionary<TransactionId, Guid> foreign)
    {
        var image = new LogImage(names) { ForgetsOutcomes = true };
        image.RestoreCeiling(RowFormat.TimestampOf(content.Metadata.TimeStamp));
        foreach (var (guid, record) in content.Metadata.CommitRecords) AddRecord(image, guid, record, foreign);
        ReadStates(image, content, foreign);
        return image;
    }

    private void ReadStates(LogImage image, RowContent<T> content, Dictionary<TransactionId, Guid> foreign)
    {
        var head = HeadOf(content.Metadata);
        VersionId? below = null;
        var prepares = new List<RecoveredPrepare>();
        foreach (var pending in content.PendingStates)
        {
            if (pending.SequenceId <= content.CommittedSequenceId) continue;
            if (ReadPrepare(pending, head, prepares.Count > 0 ? prepares[^1].Writes[0].Id : default) is not { } prepare)
                continue;
            below ??= prepare.Writes[0].Base;
            if (prepare.Id.Node.IsForeign) foreign[prepare.Id] = Guid.Parse(pending.TransactionId);
            prepares.Add(prepare);
        }

        if (content.CommittedSequenceId > 0)
        {
            // Without the head another engine wrote it: at or below its time stamp.
            var timestamp = head?.Timestamp ?? RowFormat.TimestampOf(content.Metadata.TimeStamp);
            image.Restore(
                key, new CommittedState(below ?? default, timestamp, codec.Name, Encode(content.CommittedState!)));
        }

        foreach (var prepare in prepares) image.Restore(prepare);
    }

    /// <summary>The position of the last batch; and, of another engine's row, nothing.</summary>
    private static RowHead? HeadOf(RowMetadata metadata)
    {
        (long Position, long Timestamp)? head = null;
        BatchId? batch = null;
        foreach (var guid in metadata.CommitRecords.Keys)
        {
            if (!RowFormat.TryUnpack(guid, out var tag, out var high, out var low)) continue;
            if (tag == RowTag.Head) head = RowFormat.UnpackHead(high, low);
            else if (tag == RowTag.Batch) batch = new BatchId(high, low);
        }

        return head is { } known && batch is { } id ? new RowHead(known.Position, known.Timestamp, id) : null;
    }

    /// <summary>
    /// A prepared state that counts: not one that a store has left
    /// which failed half-way, nor one that nobody can decide.
    /// </summary>
    private RecoveredPrepare? ReadPrepare(RowPendingState<T> pending, RowHead? head, VersionId below)
    {
        if (pending.Manager is not { } manager) return null;
        if (!RowFormat.TryReadAnnotation(manager.Name, out var position, out var record))
            return ReadForeign(pending, manager, below);
        if (position > (head?.Position ?? -1) && breaks != ProtocolBreaks.RowTornPrepares) return null;
        var prepare = ReadPrepare(record);
        prepare.Writes[0] = prepare.Writes[0] with { Encoded = Encode(pending.State) };
        return prepare;
    }

    private RecoveredPrepare ReadPrepare(byte[] bytes)
    {
        var record = Record(bytes, LogRecordKind.Prepare);
        return RecoveredPrepare.Read(ref record);
    }

    private ByteReader Record(byte[] bytes, LogRecordKind kind)
    {
        var batch = new ByteReader(bytes, names);
        LogRecords.ReadVersion(ref batch);
        var record = new ByteReader(batch.LengthPrefixed(), names);
        if ((LogRecordKind)record.Byte() is var found && found != kind)
            throw new CodingException(
                $"The row {key.Grain}.{key.State} has a record of kind {found} where one of kind {kind} should be.");
        return record;
    }

    /// <summary>Its manager, which is a row too, says what became of it.</summary>
    private RecoveredPrepare ReadForeign(RowPendingState<T> pending, RowParticipant manager, VersionId below)
    {
        var id = RowFormat.IdOf(ForeignGuid(pending.TransactionId));
        return new RecoveredPrepare
        {
            Id = id, Type = ForeignType, Round = 0, Timestamp = RowFormat.TimestampOf(pending.TimeStamp),
            Manager = names.NumberOf(new RowKey(manager.Grain, manager.Name)), ManagerEpoch = 0, Parts = [],
            Writes = [new RecoveredVersion(key, new VersionId(id, 1), below, codec.Name, Encode(pending.State))],
            Dependencies = [],
        };
    }

    private Guid ForeignGuid(string text) =>
        Guid.TryParse(text, out var guid)
            ? guid
            : throw new CodingException(
                $"The row {key.Grain}.{key.State} has a prepared state of transaction '{text}', which is not a GUID: "
                + "no engine that is known here writes that.");

    private void AddRecord(LogImage image, Guid guid, RowCommitRecord record, Dictionary<TransactionId, Guid> foreign)
    {
        var id = RowFormat.IdOf(guid);
        if (!RowFormat.TryUnpack(guid, out var tag, out _, out _))
        {
            foreign[id] = guid;
            image.Restore(ForeignCommit(id, record));
            return;
        }

        switch (tag)
        {
            case RowTag.Outcome when RowFormat.IsDeath(id):
                image.RestoreDeath(id.Node, RowFormat.TimestampOf(record.Timestamp));
                break;
            case RowTag.Outcome:
                image.Outcomes[id] = true;
                break;
            case RowTag.Transaction when record.WriteParticipants.Count == 0:
                image.Restore(new RecoveredCommit(id, 0, RowFormat.TimestampOf(record.Timestamp), [Self], [], []));
                break;
            case RowTag.Transaction:
                AddAnnotated(image, record.WriteParticipants[0].Name);
                break;
        }
    }

    private void AddAnnotated(LogImage image, string name)
    {
        if (!RowFormat.TryReadAnnotation(name, out _, out var bytes))
            throw new CodingException(
                $"The row {key.Grain}.{key.State} has a commit record of participant '{name}' under a key of "
                + "this engine's.");
        image.AddOnly(bytes);
    }

    /// <summary>All others who wrote must have acknowledged before it goes.</summary>
    private RecoveredCommit ForeignCommit(TransactionId id, RowCommitRecord record)
    {
        List<ParticipantUse> parts = [Self];
        List<int> others = [];
        foreach (var participant in record.WriteParticipants)
        {
            var number = names.NumberOf(new RowKey(participant.Grain, participant.Name));
            if (number == partition || others.Contains(number)) continue;
            others.Add(number);
            parts.Add(new ParticipantUse(number, 0, NodeId.None, 0, Writes: true));
        }

        return new RecoveredCommit(id, 0, RowFormat.TimestampOf(record.Timestamp), [.. parts], others, []);
    }

    private ParticipantUse Self => new(partition, 0, NodeId.None, 0, Writes: true);

    private byte[] Encode(T state)
    {
        var bytes = new ByteWriter();
        codec.Encode(state, bytes);
        return bytes.Written.ToArray();
    }
}
