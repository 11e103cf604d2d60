using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>A commit record as read back.</summary>
internal sealed record RecoveredCommit(
    TransactionId Id, int Round, long Timestamp, ParticipantUse[] Parts, List<int> MustAcknowledge,
    CommitDependency[] Dependencies)
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
/// What a log says up to a position: the fold of its batches, and of nothing else. A checkpoint is one that was written
/// down; adding its pieces and then the batches behind it gives the same as adding all batches.
/// </summary>
internal sealed class LogImage
{
    /// <summary>
    /// Records that are added before what is over is folded away; and at least as many as were left the last time, so
    /// that folding costs no more than adding. Few, because what is in memory meanwhile is what makes the garbage
    /// collector stop silos.
    /// </summary>
    private const int RecordsBetweenCompactions = 8_192;

    /// <summary>A piece of a checkpoint is full when it has grown to this.</summary>
    public const int PieceBytes = 256 << 10;

    // Records that are over are left where they are until there is so much of them.
    private const int RecordGarbageMin = 4 << 10;

    private readonly PrepareTable _prepares;
    private readonly CheckpointedVersions? _below;
    private readonly PartitionNames _names;

    // Of the prepare that is being folded.
    private readonly List<FoldedWrite> _writes = [];
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

    /// <summary>
    /// An image of which only what has changed is in memory:
    /// <see cref="States"/> are those that came after a checkpoint.
    /// </summary>
    /// <param name="below">The versions in that checkpoint.</param>
    public LogImage(CheckpointedVersions below) : this() => _below = below;

    /// <summary>The latest committed version of each participant, as far as nothing undecided is below it.</summary>
    public StateTable States { get; } = new();

    /// <summary>
    /// In the order in which they were logged: what is undecided, or
    /// committed on top of what is undecided, or not folded yet.
    /// </summary>
    public IReadOnlyCollection<RecoveredPrepare> Prepares => _prepares;

    public CommitTable Commits { get; }

    public Dictionary<TransactionId, bool> Resolutions { get; } = [];

    public Dictionary<TransactionId, bool> Outcomes { get; } = [];

    public HashSet<TransactionId> Forgotten { get; } = [];

    /// <summary>Each agent's oldest live attempt, at least.</summary>
    public Dictionary<NodeId, long> OldestLive { get; } = [];

    /// <summary>
    /// V6, of a row: the nodes of whose transactions commits were dropped because the node is dead, and since when, as
    /// a timestamp. A log says that by the records of <see cref="OldestLive"/>, which a row does not keep.
    /// </summary>
    public Dictionary<NodeId, long> Buried { get; } = [];

    public long Ceiling { get; private set; }

    public long MaxTimestamp { get; private set; }

    /// <summary>A forget record is about a participant's outcome as well; only rows have such.</summary>
    public bool ForgetsOutcomes { get; init; }

    /// <summary>The number of the prepare that was logged first of those that are not folded away, or -1.</summary>
    public int FirstPrepare => _prepares.First;

    /// <summary>Adds the next batch, or piece of a checkpoint.</summary>
    public void Add(ReadOnlySpan<byte> batch)
    {
        AddRecords(batch);
        if (_added > Math.Max(RecordsBetweenCompactions, _left)) Compact();
    }

    /// <summary>Committed, aborted, or undecided as far as this log alone can tell.</summary>
    public bool? OutcomeOf(TransactionId id, bool ignoreDependencies = false)
    {
        if (Outcomes.TryGetValue(id, out var outcome)) return outcome;
        if (Resolutions.TryGetValue(id, out var resolution)) return resolution;
        if (Commits.TryGet(id, out var commit) && (!commit.HasDependencies || ignoreDependencies)) return true;
        return null;
    }

    /// <summary>
    /// Folds away all that is over. Whenever it is called, and how
    /// often, makes no difference to what comes out in the end.
    /// </summary>
    public void Compact() => Compact(FoldPrepares());

    /// <summary>The same right after <see cref="Fold"/>.</summary>
    /// <param name="asked">What that has returned.</param>
    public void Compact(HashSet<TransactionId> asked)
    {
        foreach (var (id, committed) in Resolutions)
        {
            // What was inferred from the chain before the resolution was logged, or not, as it happened: the resolution
            // says it in either case, and is forgotten together with its commit record.
            if (Outcomes.TryGetValue(id, out var known) && known == committed) Outcomes.Remove(id);
        }

        ForgetCommits(asked);
        ForgetOver(Outcomes, asked);
        ForgetOver(Resolutions, asked);
        Forgotten.RemoveWhere(id => !Commits.Contains(id));
        _added = 0;
        _left = _prepares.Count + Commits.Count + Outcomes.Count;
        TidyRecords();
    }

    /// <summary>Adds a batch, and leaves all in it: what is over is folded away by whoever asks for that.</summary>
    public void AddOnly(ReadOnlySpan<byte> batch)
    {
        AddRecords(batch);
        _added = 0;
    }

    /// <summary>
    /// Folds committed states, as <see cref="Compact()"/> does, and forgets no outcome yet. Returns what
    /// <see cref="Compact(HashSet{TransactionId})"/> asks for.
    /// </summary>
    public HashSet<TransactionId> Fold() => FoldPrepares();

    /// <summary>The number of the one that was logged next, or -1.</summary>
    public int NextPrepare(int prepare) => _prepares.Next(prepare);

    /// <summary>The number of a transaction's prepare that is not folded away, or -1.</summary>
    public int PrepareOf(TransactionId id) => _prepares.NumberOf(id);

    /// <inheritdoc cref="PrepareTable.IdOf"/>
    public TransactionId IdOf(int prepare) => _prepares.IdOf(prepare);

    /// <inheritdoc cref="PrepareTable.RoundOf"/>
    public int RoundOf(int prepare) => _prepares.RoundOf(prepare);

    /// <inheritdoc cref="PrepareTable.HasWrites"/>
    public bool HasWrites(int prepare) => _prepares.HasWrites(prepare);

    /// <summary>A transaction's prepare that is not folded away, or <see langword="null"/>.</summary>
    public RecoveredPrepare? FindPrepare(TransactionId id) =>
        PrepareOf(id) is >= 0 and var prepare ? _prepares.Read(prepare) : null;

    /// <summary>A prepare's record.</summary>
    public ReadOnlySpan<byte> RecordOf(int prepare) => _prepares[prepare];

    /// <summary>
    /// Lets go of the encoded state in the record of a prepare with
    /// one write, and writes down what is left of it, as a batch.
    /// </summary>
    public void DropState(int prepare, ByteWriter batch)
    {
        LogRecords.WritePrepareWithoutState(batch, _prepares[prepare]);
        _prepares.Replace(prepare, LogRecords.OnlyRecord(batch));
    }

    /// <summary>Adds what was read back from elsewhere than a batch.</summary>
    public void Restore(RecoveredPrepare prepare)
    {
        var batch = new ByteWriter(_names, 256);
        LogRecords.WritePrepare(batch, prepare);
        AddOnly(batch.Written);
    }

    /// <inheritdoc cref="Restore(RecoveredPrepare)"/>
    public void Restore(RecoveredCommit commit)
    {
        var batch = new ByteWriter(_names, 256);
        LogRecords.WriteCommit(batch, commit);
        AddOnly(batch.Written);
    }

    /// <inheritdoc cref="Restore(RecoveredPrepare)"/>
    public void Restore(ParticipantKey key, CommittedState state)
    {
        var batch = new ByteWriter(_names, 256);
        LogRecords.WriteState(batch, key, state);
        AddOnly(batch.Written);
    }

    /// <inheritdoc cref="Restore(RecoveredPrepare)"/>
    public void RestoreCeiling(long ceiling) => Ceiling = Math.Max(Ceiling, ceiling);

    /// <summary>Adds that a node is dead, and since when others have settled its transactions.</summary>
    public void RestoreDeath(NodeId node, long since)
    {
        OldestLive[node] = LogRecords.NoneLive;
        Buried[node] = since;
    }

    /// <summary>
    /// The image in pieces of a checkpoint, each valid until the next is asked for. Of equal images they are equal,
    /// byte for byte.
    /// </summary>
    public IEnumerable<ReadOnlyMemory<byte>> Write() => new ImageWriter(this, _names).Write();

    /// <summary>
    /// The same of an image over a checkpoint, whose states are copied from there piece by piece, apart from those that
    /// came after it.
    /// </summary>
    /// <param name="below">That checkpoint's pieces.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public IAsyncEnumerable<ReadOnlyMemory<byte>> WriteOver(
        IAsyncEnumerable<ReadOnlyMemory<byte>> below, CancellationToken cancellationToken = default) =>
        new ImageWriter(this, _names).WriteOver(below, cancellationToken);

    /// <summary>Whether a piece of a checkpoint is full.</summary>
    public static bool IsFull(ByteWriter piece) => piece.Length >= PieceBytes;

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
                throw new CodingException(
                    $"The log holds a record of kind {(byte)kind}, which this version does not know; a newer "
                    + "version wrote it.");
        }
    }

    private void AddState(ReadOnlySpan<byte> bytes, ref ByteReader record)
    {
        var participant = States.NumberOf(KeyOrder.Read(ref record, bytes));
        States.Set(
            participant,
            LogRecords.ReadVersionId(ref record),
            record.Int(),
            LogRecords.SkipEncoded(ref record, bytes));
    }

    private void AddPrepare(ReadOnlySpan<byte> bytes)
    {
        var prepare = new PrepareReader(bytes);
        prepare.Validate();
        _prepares.Add(prepare, bytes);
        MaxTimestamp = Math.Max(MaxTimestamp, prepare.Timestamp);
    }

    /// <summary>
    /// Returns the transactions that an undecided one here depends on: their outcomes are kept until it is decided.
    /// </summary>
    private HashSet<TransactionId> FoldPrepares()
    {
        var asked = new HashSet<TransactionId>();
        States.BeginChains();
        for (var at = _prepares.First; at >= 0;)
        {
            var next = _prepares.Next(at);
            var record = _prepares[at];
            var prepare = new PrepareReader(record);
            ReadWrites(ref prepare, record);
            var outcome = OutcomeOf(prepare.Id);
            if (outcome != false && !Fit())
            {
                // It was built on something that has left the chain (R4), so it can't have committed.
                if (outcome == true)
                    throw new InvariantException(
                        $"Committed {prepare.Id} does not fit on the version before it in the log.");
                outcome = Outcomes[prepare.Id] = false;
            }

            if (outcome == false)
            {
                _prepares.Remove(at);
            }
            else if (outcome == true && !AreAboveUndecided())
            {
                foreach (var write in _writes)
                    States.Set(write.Participant, write.Id, prepare.Timestamp, record[write.State]);
                _prepares.Remove(at);
            }
            else
            {
                foreach (var write in _writes) States.SetTop(write.Participant, write.Id);
                if (outcome is null) prepare.AddDependencies(asked);
            }

            at = next;
        }

        return asked;
    }

    private void ReadWrites(ref PrepareReader prepare, ReadOnlySpan<byte> record)
    {
        _writes.Clear();
        while (prepare.TryReadWrite(out var write))
        {
            var participant = States.NumberOf(write.Key);
            var below = States.TopOf(participant)
                ?? States.VersionOf(participant) ?? _below?.Find(write.Key) ?? default;
            var end = record.Length - prepare.Left;
            _writes.Add(new FoldedWrite(participant, write.Id, below == write.Base, (end - write.State.Length)..end));
        }
    }

    private bool Fit()
    {
        foreach (var write in _writes)
        {
            if (!write.Fits) return false;
        }

        return true;
    }

    private bool AreAboveUndecided()
    {
        foreach (var write in _writes)
        {
            if (States.TopOf(write.Participant) is not null) return true;
        }

        return false;
    }

    /// <summary>
    /// A manager's decision is kept until all who must have acknowledged it, and its agent has told its caller: a
    /// forget record says both. With nobody to acknowledge there may be none, and then the agent's oldest live attempt
    /// says it.
    /// </summary>
    private void ForgetCommits(HashSet<TransactionId> asked)
    {
        foreach (var id in Commits.Ids)
        {
            if (OutcomeOf(id) is not { } committed || asked.Contains(id) || _prepares.Contains(id)) continue;
            var isAcknowledged = !committed || !Commits.TryGet(id, out var commit) || !commit.MustBeAcknowledged;
            if (!Forgotten.Contains(id) && !(isAcknowledged && IsAgentDone(id))) continue;
            Commits.Remove(id);
            Resolutions.Remove(id);
            if (committed) Bury(id.Node);
        }
    }

    private void ForgetOver(Dictionary<TransactionId, bool> known, HashSet<TransactionId> asked)
    {
        foreach (var (id, committed) in known)
        {
            if (Commits.Contains(id) || !IsOver(id, asked)) continue;
            known.Remove(id);
            if (committed) Bury(id.Node);
        }
    }

    // An agent of another engine is gone for good, and needs no word of that.
    private void Bury(NodeId node)
    {
        if (ForgetsOutcomes && !node.IsForeign && OldestLive.GetValueOrDefault(node) == LogRecords.NoneLive)
            Buried.TryAdd(node, Math.Max(Ceiling, MaxTimestamp));
    }

    private void TidyRecords()
    {
        if (_records.Length < RecordGarbageMin || _records.Length < 2 * (_prepares.Bytes() + Commits.Bytes())) return;
        _spareRecords.Clear();
        _prepares.MoveTo(_spareRecords);
        Commits.MoveTo(_spareRecords);
        (_records, _spareRecords) = (_spareRecords, _records);
    }

    private bool IsOver(TransactionId id, HashSet<TransactionId> asked) =>
        (IsAgentDone(id) || (ForgetsOutcomes && Forgotten.Contains(id))) && !asked.Contains(id)
            && !_prepares.Contains(id);

    private bool IsAgentDone(TransactionId id) =>
        id.Node.IsForeign || id.Sequence < OldestLive.GetValueOrDefault(id.Node);

    /// <summary>A write of the prepare that is being folded.</summary>
    /// <param name="Participant">Its number among the states.</param>
    /// <param name="Id">The version.</param>
    /// <param name="Fits">Whether it was built on what is last there.</param>
    /// <param name="State">Where in the record its codec and its state are.</param>
    private readonly record struct FoldedWrite(int Participant, VersionId Id, bool Fits, Range State);
}
