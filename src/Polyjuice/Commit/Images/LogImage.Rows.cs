using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Commit;

// A row is an image that is written down after every batch: it is read back record by record, and changed in steps.
internal sealed partial class LogImage
{
    /// <summary>A forget record is about a participant's outcome as well; only rows have such.</summary>
    public bool ForgetsOutcomes { get; init; }

    /// <summary>Adds a batch, and leaves all in it: what is over is folded away by whoever asks for that.</summary>
    public void AddOnly(ReadOnlySpan<byte> batch)
    {
        AddRecords(batch);
        _added = 0;
    }

    /// <summary>Folds committed states, as <see cref="Compact()"/> does, and forgets no outcome yet. Returns what <see cref="Compact(HashSet{TransactionId})"/> asks for.</summary>
    public HashSet<TransactionId> Fold() => FoldPrepares();

    /// <summary>The number of the prepare that was logged first of those that are not folded away, or -1.</summary>
    public int FirstPrepare => _prepares.First;

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
    public RecoveredPrepare? FindPrepare(TransactionId id) => PrepareOf(id) is >= 0 and var prepare ? _prepares.Read(prepare) : null;

    /// <summary>A prepare's record.</summary>
    public ReadOnlySpan<byte> RecordOf(int prepare) => _prepares[prepare];

    /// <summary>Lets go of the encoded state in the record of a prepare with one write, and writes down what is left of it, as a batch.</summary>
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
}
