using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>Writes an image into the fields of a row.</summary>
internal sealed class RowWriter<T>(ParticipantKey key, IStateCodec<T> codec, PartitionNames names, ProtocolBreaks breaks) where T : class
{
    // What a record takes in JSON, besides its participants' names: a GUID, a time, the names of fields.
    private const int RecordBytes = 120;

    /// <summary>What the row shall hold. The image has the batch, and is folded by this; the states in it that the row has no need of are not kept.</summary>
    /// <param name="image">What all batches say, this one included.</param>
    /// <param name="position">Of the batch.</param>
    /// <param name="batch">Which.</param>
    /// <param name="row">What it holds.</param>
    /// <param name="committed">The version that is committed there.</param>
    /// <param name="known">Outcomes that the image had before the batch.</param>
    /// <param name="foreign">The GUIDs of another engine's transactions.</param>
    /// <param name="metadataBytes">About how much the metadata takes.</param>
    public RowWrite<T> Write(LogImage image, long position, BatchId batch, RowView row, VersionId committed, IReadOnlySet<TransactionId> known, IReadOnlyDictionary<TransactionId, Guid> foreign, out int metadataBytes)
    {
        image.Fold();
        var state = image.States.Find(key);
        var version = state?.Version ?? default;
        var committedAt = row.CommittedSequenceId;
        var last = row.CommittedSequenceId;
        var kept = new HashSet<TransactionId>();
        var entries = new List<(RowEntry, RowPendingState<T>?)>();
        var isAborted = false;
        foreach (var entry in row.Entries)
        {
            var prepare = image.FindPrepare(entry.Id);
            var isPending = prepare is not null;
            var isCommitted = !isPending && image.OutcomeOf(entry.Id) == true;

            // What follows an aborted state was built on it. Their numbers, and no others, are used again: another's record would be gone, while the metadata does not yet say what became of it, if the store failed half-way.
            isAborted |= !isPending && !isCommitted;
            if (isAborted)
            {
                if (isPending || isCommitted) throw new InvariantException($"The row {key.Grain}.{key.State} has {entry.Id}, which did not abort, on top of what did.");
                continue;
            }

            last = entry.SequenceId;
            if (isCommitted)
            {
                if (version.Transaction == entry.Id) committedAt = last;
                continue;
            }

            kept.Add(entry.Id);
            entries.Add((entry with { Round = prepare!.Round }, prepare.Round == entry.Round ? null : StateOf(prepare, last, position)));
        }

        RowPendingState<T>? newlyCommitted = null;
        if (version != committed && committedAt == row.CommittedSequenceId)
        {
            if (entries.Count > 0) throw new InvariantException($"The row {key.Grain}.{key.State} commits {version} below what is undecided.");
            committedAt = last = breaks.HasFlag(ProtocolBreaks.RowReusesNumbers) ? row.CommittedSequenceId + 1 : last + 1;
            newlyCommitted = new RowPendingState<T>(last, GuidOf(RowTag.Transaction, version.Transaction, foreign).ToString(), RowFormat.TimeOf(state!.Timestamp), null, codec.Decode(state.Encoded));
        }

        foreach (var prepare in image.Prepares)
        {
            if (prepare.Writes.Count == 0 || kept.Contains(prepare.Id)) continue;
            entries.Add((new RowEntry(++last, prepare.Id, prepare.Round), StateOf(prepare, last, position)));
        }

        var outcomes = image.Outcomes.Where(outcome => outcome.Value && !known.Contains(outcome.Key)).Select(outcome => outcome.Key).ToArray();
        image.Compact();

        // What a batch says is in the row once, even if nobody can ask about it any more.
        foreach (var id in outcomes) image.Outcomes.TryAdd(id, true);
        var metadata = Metadata(image, position, batch, state?.Timestamp ?? 0, foreign, out metadataBytes);
        image.DropStates();
        return new RowWrite<T>(position, batch, committedAt, version, newlyCommitted, entries, metadata);
    }

    private RowPendingState<T> StateOf(RecoveredPrepare prepare, long sequenceId, long position)
    {
        var write = prepare.Writes[0];
        var record = new ByteWriter(names, 256);
        LogRecords.WritePrepare(record, prepare, withStates: false);
        return new RowPendingState<T>(
            sequenceId, RowFormat.Pack(RowTag.Transaction, prepare.Id).ToString(), RowFormat.TimeOf(prepare.Timestamp), new RowParticipant(RowFormat.Annotate(position, record), key.Grain), codec.Decode(write.Encoded));
    }

    private RowMetadata Metadata(LogImage image, long position, BatchId batch, long committed, IReadOnlyDictionary<TransactionId, Guid> foreign, out int bytes)
    {
        var time = RowFormat.TimeOf(Math.Max(image.Ceiling, image.MaxTimestamp));
        var records = new Dictionary<Guid, RowCommitRecord>
        {
            [RowFormat.PackHead(position, committed)] = new(time, []),
            [RowFormat.Pack(RowTag.Batch, batch.Node, batch.Sequence)] = new(time, []),
        };
        foreach (var commit in image.Commits) AddCommit(image, commit);
        foreach (var (id, isCommitted) in image.Outcomes)
        {
            if (isCommitted && !image.Commits.Contains(id)) AddOutcome(id);
        }

        foreach (var prepare in image.Prepares)
        {
            if (prepare.Writes.Count > 0) continue;
            var record = new ByteWriter(names, 256);
            LogRecords.WritePrepare(record, prepare);
            Add(RowFormat.Pack(RowTag.Transaction, prepare.Id), prepare.Timestamp, record);
        }

        bytes = records.Count * RecordBytes;
        foreach (var record in records.Values)
        {
            foreach (var participant in record.WriteParticipants) bytes += participant.Name.Length + participant.Grain.Length + RecordBytes;
        }

        return new RowMetadata(time, records);

        void AddCommit(LogImage image, RecoveredCommit commit)
        {
            // Without its record it is aborted, to whoever asks (V4).
            if (image.OutcomeOf(commit.Id) is not { } isCommitted)
            {
                AddRecord(commit);
            }
            else if (isCommitted && image.Forgotten.Contains(commit.Id))
            {
                AddOutcome(commit.Id);
            }
            else if (isCommitted && commit.MustAcknowledge.Count > 0)
            {
                AddRecord(commit with { Dependencies = [] });
            }
            else if (isCommitted)
            {
                Add(GuidOf(RowTag.Transaction, commit.Id, foreign), commit.Timestamp, null);
            }
        }

        void AddRecord(RecoveredCommit commit)
        {
            if (commit.Id.Node.IsForeign)
            {
                records[GuidOf(RowTag.Transaction, commit.Id, foreign)] = new(RowFormat.TimeOf(commit.Timestamp), [.. commit.Parts.Select(ParticipantOf)]);
                return;
            }

            var record = new ByteWriter(names, 256);
            LogRecords.WriteCommit(record, commit);
            Add(RowFormat.Pack(RowTag.Transaction, commit.Id), commit.Timestamp, record);
        }

        void AddOutcome(TransactionId id)
        {
            if (!breaks.HasFlag(ProtocolBreaks.RowForgetsOutcomes)) Add(GuidOf(RowTag.Outcome, id, foreign), image.MaxTimestamp, null);
        }

        void Add(Guid guid, long timestamp, ByteWriter? record) =>
            records[guid] = new(RowFormat.TimeOf(timestamp), record is null ? [] : [new RowParticipant(RowFormat.Annotate(position, record), key.Grain)]);
    }

    // Another engine's transaction keeps its name: without participants, its record says that it has committed here.
    private static Guid GuidOf(RowTag tag, TransactionId id, IReadOnlyDictionary<TransactionId, Guid> foreign) => id.Node.IsForeign ? foreign[id] : RowFormat.Pack(tag, id);

    private RowParticipant ParticipantOf(ParticipantUse part) =>
        names.TryGetKey(part.Partition, out var other) ? new RowParticipant(other.State, other.Grain) : throw new InvariantException($"Partition {part.Partition} is no row, and another engine's transaction wrote there.");
}
