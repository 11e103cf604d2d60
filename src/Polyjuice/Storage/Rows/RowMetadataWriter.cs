using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// Writes what an image says besides states into the metadata of a row: what is decided, what was only read, and which
/// batch was the last.
/// </summary>
/// <param name="key">The state that is in the row.</param>
/// <param name="names">Of other rows.</param>
/// <param name="breaks">Which rule is broken, for tests.</param>
/// <param name="scratch">Holds one record at a time, while it is written.</param>
internal sealed class RowMetadataWriter(
    ParticipantKey key, PartitionNames names, ProtocolBreaks breaks, ByteWriter scratch)
{
    // What a record takes in JSON, besides its participants' names: a GUID, a time, the names of fields.
    private const int RecordBytes = 120;

    /// <summary>
    /// How long a row says that a node is dead whose commits it has dropped. A process that was taken for dead, and
    /// stood still for longer, has no transaction left to run again: all have long been over time.
    /// </summary>
    private static readonly TimeSpan s_deathsKept = TimeSpan.FromDays(1);

    // Records that say more than that a transaction has committed, as they were written: each store has all of them,
    // and they stay for a while. With a number that changes when the record does.
    private readonly Dictionary<Guid, (int Version, RowCommitRecord Record)> _annotated = [];

    /// <summary>
    /// Another engine's transaction keeps its name: without participants, its record says that it has committed here.
    /// </summary>
    public static Guid GuidOf(RowTag tag, TransactionId id, IReadOnlyDictionary<TransactionId, Guid> foreign) =>
        id.Node.IsForeign ? foreign[id] : RowFormat.Pack(tag, id);

    /// <summary>Forgets what was written: the row was loaded.</summary>
    public void Clear() => _annotated.Clear();

    /// <summary>The metadata.</summary>
    /// <param name="image">What all batches say.</param>
    /// <param name="position">Of the last batch.</param>
    /// <param name="batch">Which that is.</param>
    /// <param name="committed">The timestamp of the version that is committed.</param>
    /// <param name="foreign">The GUIDs of another engine's transactions.</param>
    /// <param name="bytes">About how much it takes.</param>
    public RowMetadata Write(
        LogImage image, long position, BatchId batch, long committed, IReadOnlyDictionary<TransactionId, Guid> foreign,
        out int bytes)
    {
        var time = RowFormat.TimeOf(Math.Max(image.Ceiling, image.MaxTimestamp));

        // Of what its key alone says it all, one object for all: formats that know objects again write it once, as
        // Orleans' JSON and its serialiser do.
        var empty = new RowCommitRecord(time, []);
        var records = new Dictionary<Guid, RowCommitRecord>(2 + image.Commits.Count + image.Outcomes.Count)
        {
            [RowFormat.PackHead(position, committed)] = empty,
            [RowFormat.Pack(RowTag.Batch, batch.Node, batch.Sequence)] = empty,
        };
        var page = new Page(image, position, foreign, records, empty);
        foreach (var id in image.Commits.Ids) AddCommit(page, id);
        foreach (var (id, isCommitted) in image.Outcomes)
        {
            if (isCommitted && !image.Commits.Contains(id)) AddOutcome(page, id);
        }

        AddDeaths(page, time);
        for (var prepare = image.FirstPrepare; prepare >= 0; prepare = image.NextPrepare(prepare))
        {
            if (!image.HasWrites(prepare)) AddReader(page, prepare);
        }

        foreach (var known in _annotated.Keys)
        {
            if (!records.ContainsKey(known)) _annotated.Remove(known);
        }

        bytes = BytesOf(records);
        return new RowMetadata(time, records);
    }

    private static int BytesOf(Dictionary<Guid, RowCommitRecord> records)
    {
        var bytes = records.Count * RecordBytes;
        foreach (var record in records.Values)
        {
            foreach (var participant in record.WriteParticipants)
                bytes += participant.Name.Length + participant.Grain.Length + RecordBytes;
        }

        return bytes;
    }

    private void AddCommit(in Page page, TransactionId id)
    {
        var image = page.Image;

        // Without its record it is aborted, to whoever asks (V4).
        if (image.OutcomeOf(id) is not { } isCommitted)
        {
            AddRecord(page, id, isResolved: false);
        }
        else if (isCommitted && image.Forgotten.Contains(id))
        {
            AddOutcome(page, id);
        }
        else if (isCommitted && image.Commits.TryGet(id, out var entry) && entry.MustBeAcknowledged)
        {
            AddRecord(page, id, isResolved: true);
        }
        else if (isCommitted)
        {
            page.Records[GuidOf(RowTag.Transaction, id, page.Foreign)] =
                new(RowFormat.TimeOf(image.Commits.TimestampOf(id)), []);
        }
    }

    private void AddRecord(in Page page, TransactionId id, bool isResolved)
    {
        var guid = GuidOf(RowTag.Transaction, id, page.Foreign);
        var version = isResolved ? 1 : 0;
        if (TryAddKnown(page, guid, version)) return;
        var commit = page.Image.Commits[id];
        if (id.Node.IsForeign)
        {
            page.Records[guid] = new(RowFormat.TimeOf(commit.Timestamp), [.. commit.Parts.Select(ParticipantOf)]);
            return;
        }

        scratch.Clear();
        LogRecords.WriteCommit(scratch, isResolved ? commit with { Dependencies = [] } : commit);
        AddNew(page, guid, commit.Timestamp, version);
    }

    private void AddReader(in Page page, int prepare)
    {
        var guid = RowFormat.Pack(RowTag.Transaction, page.Image.IdOf(prepare));
        if (TryAddKnown(page, guid, page.Image.RoundOf(prepare))) return;
        var record = page.Image.RecordOf(prepare);
        scratch.Clear();
        LogRecords.WriteRecord(scratch, record);
        var reader = new PrepareReader(record);
        AddNew(page, guid, reader.Timestamp, page.Image.RoundOf(prepare), reader.NamesParts);
    }

    private bool TryAddKnown(in Page page, Guid guid, int version)
    {
        if (!_annotated.TryGetValue(guid, out var known) || known.Version != version) return false;
        page.Records[guid] = known.Record;
        return true;
    }

    // With what was written into the scratch.
    private void AddNew(in Page page, Guid guid, long timestamp, int version, bool namesParts = true)
    {
        var annotation = RowFormat.Annotate(page.Position, scratch, namesParts);
        page.Records[guid] = new(RowFormat.TimeOf(timestamp), [new RowParticipant(annotation, key.Grain)]);
        _annotated[guid] = (version, page.Records[guid]);
    }

    private void AddOutcome(in Page page, TransactionId id)
    {
        if (breaks != ProtocolBreaks.RowForgetsOutcomes)
            page.Records[GuidOf(RowTag.Outcome, id, page.Foreign)] = page.Empty;
    }

    // V6: who takes the row over hears of the deaths for which it has forgotten something.
    private void AddDeaths(in Page page, DateTime now)
    {
        if (breaks == ProtocolBreaks.RowForgetsDeaths) return;
        foreach (var (node, since) in page.Image.Buried)
        {
            var time = RowFormat.TimeOf(since);
            if (now - time > s_deathsKept) page.Image.Buried.Remove(node);
            else page.Records[RowFormat.PackDeath(node)] = new(time, []);
        }
    }

    private RowParticipant ParticipantOf(ParticipantUse part) => names.TryGetKey(part.Partition, out var other)
        ? new RowParticipant(other.State, other.Grain)
        : throw new InvariantException(
            $"Partition {part.Partition} is no row, and another engine's transaction wrote there.");

    /// <summary>The metadata that is being written.</summary>
    private readonly record struct Page(
        LogImage Image, long Position, IReadOnlyDictionary<TransactionId, Guid> Foreign,
        Dictionary<Guid, RowCommitRecord> Records, RowCommitRecord Empty);
}
