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

    /// <summary>Folds committed states, as <see cref="Compact"/> does, and forgets no outcome yet.</summary>
    public void Fold() => FoldPrepares();

    /// <summary>A transaction's prepare that is not folded away, or <see langword="null"/>.</summary>
    public RecoveredPrepare? FindPrepare(TransactionId id) => _prepares.Find(id);

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

    /// <summary>Lets go of encoded states, which are elsewhere by now.</summary>
    public void DropStates()
    {
        foreach (var (key, state) in States)
        {
            if (state.Encoded.Length > 0) Restore(key, state with { Encoded = [] });
        }

        for (var at = _prepares.First; at >= 0; at = _prepares.Next(at))
        {
            var prepare = _prepares.Read(at);
            if (prepare.Writes.TrueForAll(write => write.Encoded.Length == 0)) continue;
            var batch = new ByteWriter(_names, 256);
            LogRecords.WritePrepare(batch, prepare, withStates: false);
            _prepares.Replace(at, LogRecords.OnlyRecord(batch));
        }
    }
}
