using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>Writes an image into the fields of a row.</summary>
internal sealed class RowWriter<T> where T : class
{
    private readonly ParticipantKey _key;
    private readonly IStateCodec<T> _codec;
    private readonly ProtocolBreaks _breaks;
    private readonly ByteWriter _scratch;
    private readonly RowMetadataWriter _metadata;

    public RowWriter(ParticipantKey key, IStateCodec<T> codec, PartitionNames names, ProtocolBreaks breaks)
    {
        _key = key;
        _codec = codec;
        _breaks = breaks;
        _scratch = new ByteWriter(names, 256);
        _metadata = new RowMetadataWriter(key, names, breaks, _scratch);
    }

    /// <summary>Forgets what was written: the row was loaded.</summary>
    public void Clear() => _metadata.Clear();

    /// <summary>
    /// What the row shall hold. The image has the batch, and is folded by
    /// this; the states in it that the row has no need of are not kept.
    /// </summary>
    /// <param name="image">What all batches say, this one included.</param>
    /// <param name="position">Of the batch.</param>
    /// <param name="batch">Which.</param>
    /// <param name="row">What it holds.</param>
    /// <param name="committed">The version that is committed there.</param>
    /// <param name="known">Outcomes that the image had before the batch.</param>
    /// <param name="foreign">The GUIDs of another engine's transactions.</param>
    /// <param name="metadataBytes">About how much the metadata takes.</param>
    public RowWrite<T> Write(
        LogImage image, long position, BatchId batch, RowView row, VersionId committed,
        IReadOnlySet<TransactionId> known, IReadOnlyDictionary<TransactionId, Guid> foreign, out int metadataBytes)
    {
        var asked = image.Fold();
        var state = image.States.Find(_key);
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

            // What follows an aborted state was built on it. Their numbers, and no
            // others, are used again: another's record would be gone, while the metadata
            // does not yet say what became of it, if the store failed half-way.
            isAborted |= !isPending && !isCommitted;
            if (isAborted)
            {
                if (isPending || isCommitted)
                    throw new InvariantException(
                        $"The row {_key.Grain}.{_key.State} has {entry.Id}, which did not abort, on top of what did.");
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
            var taken = round == entry.Round ? null : TakeState(image, prepare, last, position);
            entries.Add((entry with { Round = round }, taken));
        }

        RowPendingState<T>? newlyCommitted = null;
        if (version != committed && committedAt == row.CommittedSequenceId)
        {
            if (entries.Count > 0)
                throw new InvariantException(
                    $"The row {_key.Grain}.{_key.State} commits {version} below what is undecided.");
            committedAt = last = _breaks == ProtocolBreaks.RowReusesNumbers ? row.CommittedSequenceId + 1 : last + 1;
            newlyCommitted = EntryOf(last, state!, foreign);
        }

        AddNewPrepares(image, kept, entries, last, position);
        Compact(image, asked, known);
        var metadata = _metadata.Write(image, position, batch, state?.Timestamp ?? 0, foreign, out metadataBytes);
        image.States.DropStates();
        return new RowWrite<T>(position, batch, committedAt, version, newlyCommitted, entries, metadata);
    }

    /// <summary>Adds the prepares that the row does not have yet, behind all that it has.</summary>
    private void AddNewPrepares(
        LogImage image, HashSet<TransactionId> kept, List<(RowEntry, RowPendingState<T>?)> entries, long last,
        long position)
    {
        for (var prepare = image.FirstPrepare; prepare >= 0; prepare = image.NextPrepare(prepare))
        {
            var id = image.IdOf(prepare);
            if (!image.HasWrites(prepare) || kept.Contains(id)) continue;
            entries.Add((new RowEntry(++last, id, image.RoundOf(prepare)), TakeState(image, prepare, last, position)));
        }
    }

    private static void Compact(LogImage image, HashSet<TransactionId> asked, IReadOnlySet<TransactionId> known)
    {
        var outcomes = image.Outcomes
            .Where(outcome => outcome.Value && !known.Contains(outcome.Key)).Select(outcome => outcome.Key).ToArray();
        image.Compact(asked);

        // What a batch says is in the row once, even if nobody can ask about it any more.
        foreach (var id in outcomes) image.Outcomes.TryAdd(id, true);
    }

    /// <summary>What commits a version that the row does not have yet.</summary>
    private RowPendingState<T> EntryOf(
        long sequenceId, CommittedState state, IReadOnlyDictionary<TransactionId, Guid> foreign) => new(
        sequenceId,
        RowMetadataWriter.GuidOf(RowTag.Transaction, state.Version.Transaction, foreign).ToString(),
        RowFormat.TimeOf(state.Timestamp),
        null,
        _codec.Decode(state.Encoded));

    /// <summary>The state of a prepare goes into the row, and out of the image.</summary>
    private RowPendingState<T> TakeState(LogImage image, int prepare, long sequenceId, long position)
    {
        var reader = new PrepareReader(image.RecordOf(prepare));
        reader.TryReadWrite(out var write);
        var encoded = new ByteReader(write.State);
        encoded.Bytes();
        var state = _codec.Decode(encoded.LengthPrefixed());
        _scratch.Clear();
        image.DropState(prepare, _scratch);
        return new RowPendingState<T>(
            sequenceId, RowFormat.Pack(RowTag.Transaction, reader.Id).ToString(), RowFormat.TimeOf(reader.Timestamp),
            new RowParticipant(RowFormat.Annotate(position, _scratch, reader.NamesParts), _key.Grain), state);
    }
}
