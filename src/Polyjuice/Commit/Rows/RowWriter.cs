using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>Writes an image into the fields of a row.</summary>
internal sealed class RowWriter<T>(ParticipantKey key, IStateCodec<T> codec, PartitionNames names, ProtocolBreaks breaks) where T : class
{
    // What a record takes in JSON, besides its participants' names: a GUID, a time, the names of fields.
    private const int RecordBytes = 120;

    private readonly ByteWriter _bytes = new(names, 256);

    // Records that say more than that a transaction has committed, as they were written: each store has all of them, and they stay for a while. With a number that changes when the record does.
    private readonly Dictionary<Guid, (int Version, RowCommitRecord Record)> _annotated = [];

    /// <summary>Forgets what was written: the row was loaded.</summary>
    public void Clear() => _annotated.Clear();

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
        var asked = image.Fold();
        var state = image.States.Find(key);
        var version = state?.Version ?? default;
        var committedAt = row.CommittedSequenceId;
        var last = row.CommittedSequenceId;
        var kept = new HashSet<TransactionId>();
        var entries = new List<(RowEntry, RowPendingState<T>?)>();
        var isAborted = false;
        foreach (var entry in row.Entries)
        {
            var prepare = image.PrepareOf(entry.Id);
            var isPending = prepare >= 0;
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
            var round = image.RoundOf(prepare);
            entries.Add((entry with { Round = round }, round == entry.Round ? null : TakeState(image, prepare, last, position)));
        }

        RowPendingState<T>? newlyCommitted = null;
        if (version != committed && committedAt == row.CommittedSequenceId)
        {
            if (entries.Count > 0) throw new InvariantException($"The row {key.Grain}.{key.State} commits {version} below what is undecided.");
            committedAt = last = breaks == ProtocolBreaks.RowReusesNumbers ? row.CommittedSequenceId + 1 : last + 1;
            newlyCommitted = new RowPendingState<T>(last, GuidOf(RowTag.Transaction, version.Transaction, foreign).ToString(), RowFormat.TimeOf(state!.Timestamp), null, codec.Decode(state.Encoded));
        }

        for (var prepare = image.FirstPrepare; prepare >= 0; prepare = image.NextPrepare(prepare))
        {
            var id = image.IdOf(prepare);
            if (!image.HasWrites(prepare) || kept.Contains(id)) continue;
            entries.Add((new RowEntry(++last, id, image.RoundOf(prepare)), TakeState(image, prepare, last, position)));
        }

        var outcomes = image.Outcomes.Where(outcome => outcome.Value && !known.Contains(outcome.Key)).Select(outcome => outcome.Key).ToArray();
        image.Compact(asked);

        // What a batch says is in the row once, even if nobody can ask about it any more.
        foreach (var id in outcomes) image.Outcomes.TryAdd(id, true);
        var metadata = Metadata(image, position, batch, state?.Timestamp ?? 0, foreign, out metadataBytes);
        image.States.DropStates();
        return new RowWrite<T>(position, batch, committedAt, version, newlyCommitted, entries, metadata);
    }

    /// <summary>The state of a prepare goes into the row, and out of the image.</summary>
    private RowPendingState<T> TakeState(LogImage image, int prepare, long sequenceId, long position)
    {
        var reader = new PrepareReader(image.RecordOf(prepare));
        reader.TryReadWrite(out var write);
        var encoded = new ByteReader(write.State);
        encoded.Bytes();
        var state = codec.Decode(encoded.LengthPrefixed());
        _bytes.Clear();
        image.DropState(prepare, _bytes);
        return new RowPendingState<T>(
            sequenceId, RowFormat.Pack(RowTag.Transaction, reader.Id).ToString(), RowFormat.TimeOf(reader.Timestamp), new RowParticipant(RowFormat.Annotate(position, _bytes, reader.NamesParts), key.Grain), state);
    }

    private RowMetadata Metadata(LogImage image, long position, BatchId batch, long committed, IReadOnlyDictionary<TransactionId, Guid> foreign, out int bytes)
    {
        var time = RowFormat.TimeOf(Math.Max(image.Ceiling, image.MaxTimestamp));

        // Of what its key alone says it all, one object for all: formats that know objects again write it once, as Orleans' JSON and its serialiser do.
        var empty = new RowCommitRecord(time, []);
        var records = new Dictionary<Guid, RowCommitRecord>(2 + image.Commits.Count + image.Outcomes.Count)
        {
            [RowFormat.PackHead(position, committed)] = empty,
            [RowFormat.Pack(RowTag.Batch, batch.Node, batch.Sequence)] = empty,
        };
        foreach (var id in image.Commits.Ids) AddCommit(id);
        foreach (var (id, isCommitted) in image.Outcomes)
        {
            if (isCommitted && !image.Commits.Contains(id)) AddOutcome(id);
        }

        for (var prepare = image.FirstPrepare; prepare >= 0; prepare = image.NextPrepare(prepare))
        {
            if (!image.HasWrites(prepare)) AddReader(prepare);
        }

        foreach (var known in _annotated.Keys)
        {
            if (!records.ContainsKey(known)) _annotated.Remove(known);
        }

        bytes = records.Count * RecordBytes;
        foreach (var record in records.Values)
        {
            foreach (var participant in record.WriteParticipants) bytes += participant.Name.Length + participant.Grain.Length + RecordBytes;
        }

        return new RowMetadata(time, records);

        void AddCommit(TransactionId id)
        {
            // Without its record it is aborted, to whoever asks (V4).
            if (image.OutcomeOf(id) is not { } isCommitted)
            {
                AddRecord(id, isResolved: false);
            }
            else if (isCommitted && image.Forgotten.Contains(id))
            {
                AddOutcome(id);
            }
            else if (isCommitted && image.Commits.TryGet(id, out var entry) && entry.MustBeAcknowledged)
            {
                AddRecord(id, isResolved: true);
            }
            else if (isCommitted)
            {
                records[GuidOf(RowTag.Transaction, id, foreign)] = new(RowFormat.TimeOf(image.Commits.TimestampOf(id)), []);
            }
        }

        void AddRecord(TransactionId id, bool isResolved)
        {
            var guid = GuidOf(RowTag.Transaction, id, foreign);
            var version = isResolved ? 1 : 0;
            if (TryAddKnown(guid, version)) return;
            var commit = image.Commits[id];
            if (id.Node.IsForeign)
            {
                records[guid] = new(RowFormat.TimeOf(commit.Timestamp), [.. commit.Parts.Select(ParticipantOf)]);
                return;
            }

            _bytes.Clear();
            LogRecords.WriteCommit(_bytes, isResolved ? commit with { Dependencies = [] } : commit);
            AddNew(guid, commit.Timestamp, version);
        }

        void AddReader(int prepare)
        {
            var guid = RowFormat.Pack(RowTag.Transaction, image.IdOf(prepare));
            if (TryAddKnown(guid, image.RoundOf(prepare))) return;
            var record = image.RecordOf(prepare);
            _bytes.Clear();
            LogRecords.WriteRecord(_bytes, record);
            var reader = new PrepareReader(record);
            AddNew(guid, reader.Timestamp, image.RoundOf(prepare), reader.NamesParts);
        }

        bool TryAddKnown(Guid guid, int version)
        {
            if (!_annotated.TryGetValue(guid, out var known) || known.Version != version) return false;
            records[guid] = known.Record;
            return true;
        }

        // With what was written into _bytes.
        void AddNew(Guid guid, long timestamp, int version, bool namesParts = true)
        {
            records[guid] = new(RowFormat.TimeOf(timestamp), [new RowParticipant(RowFormat.Annotate(position, _bytes, namesParts), key.Grain)]);
            _annotated[guid] = (version, records[guid]);
        }

        void AddOutcome(TransactionId id)
        {
            if (breaks != ProtocolBreaks.RowForgetsOutcomes) records[GuidOf(RowTag.Outcome, id, foreign)] = empty;
        }
    }

    // Another engine's transaction keeps its name: without participants, its record says that it has committed here.
    private static Guid GuidOf(RowTag tag, TransactionId id, IReadOnlyDictionary<TransactionId, Guid> foreign) => id.Node.IsForeign ? foreign[id] : RowFormat.Pack(tag, id);

    private RowParticipant ParticipantOf(ParticipantUse part) =>
        names.TryGetKey(part.Partition, out var other) ? new RowParticipant(other.State, other.Grain) : throw new InvariantException($"Partition {part.Partition} is no row, and another engine's transaction wrote there.");
}
