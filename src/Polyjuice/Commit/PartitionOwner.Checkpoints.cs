using Polyjuice.Diagnostics;
using Polyjuice.Execution;

namespace Polyjuice.Commit;

// When to make a checkpoint. What is in it follows from the log alone, and is put together in the background; all that happens on the turn is the decision, and one small record.
internal sealed partial class PartitionOwner
{
    /// <summary>When the log behind the last checkpoint has grown to so many times what it was when the next one began, nothing holds that back any more.</summary>
    private const int TailsBeforeHaste = 3;

    /// <summary>How much may be appended before the log says again what is over.</summary>
    private const int BytesBetweenOldestLive = 256 << 10;

    private readonly List<TransactionId> _over = [];
    private long _tailBytes;
    private long _sinceOldestLive;
    private long _checkpointBytes;
    private bool _isCheckpointing;

    private void ConsiderCheckpoint()
    {
        if (_isCheckpointing || !_log.TakesCheckpoints || _tailBytes < Math.Max(Options.CheckpointBytes, _checkpointBytes)) return;
        _isCheckpointing = true;
        _engine.Host.NoteCheckpoint(begins: true);

        // Which outcomes the checkpoint may leave out follows from this record, and so from the log.
        LogRecords.WriteOldestLive(_batch, _engine.KnownOldestLive());
        Queue(new DurableAction(LogRecordKind.OldestLive));
        _engine.Host.NoteCheckpoint(begins: false);
    }

    /// <summary>
    /// Who reads the log can fold away what is over, as far as the log says that it is. Said now and then, so that neither a checkpoint in the making nor a recovery keeps in memory what has long been over:
    /// objects that live that long are what makes the garbage collector stop silos.
    /// </summary>
    private void NoteOldestLive()
    {
        // A row says it with every store: which records it may drop follows from this.
        if (!IsRow && (_sinceOldestLive < BytesBetweenOldestLive || !_log.TakesCheckpoints)) return;
        _sinceOldestLive = 0;
        LogRecords.WriteOldestLive(_batch, _engine.KnownOldestLive());
    }

    /// <summary>
    /// Outcomes that a row need not keep: all that depend on them are confirmed (V6), and their agent, of this node, has told its caller. A node's oldest live attempt says the same later, when all before it have ended; with every
    /// store writing down what a row has to keep, that matters where there is much to do.
    /// </summary>
    private void NoteOver()
    {
        if (_over.Count == 0) return;
        _over.RemoveAll(id =>
        {
            if (!_engine.HasAgentEnded(id)) return false;
            LogRecords.WriteForget(_batch, id);
            return true;
        });
    }

    private async Task CheckpointAsync(long position)
    {
        _engine.Host.NoteCheckpoint(begins: true);
        var covered = _tailBytes;
        long length = 0;
        var pace = PaceOf(covered);
        try
        {
            var work = _engine.Host.RunInBackground(async () => length = await Checkpointer.WriteAsync(_log, position, Options.CheckpointBytes, pace, _stopping.Token));
            _engine.Host.NoteCheckpoint(begins: false);
            await work;
            if (IsStopped) return;
            _engine.Host.NoteCheckpoint(begins: true);
            _engine.Log.Checkpointed(Partition, position, length);
            _checkpointBytes = length;
            _engine.Statistics.Checkpoints++;
            _engine.Host.NoteCheckpoint(begins: false);
        }
        catch (Exception exception)
        {
            if (IsStopped) return;
            _engine.Log.CheckpointFailed(exception, Partition, position);
        }

        // After a failure too: tried again when as much has been logged once more.
        _tailBytes -= covered;
        _isCheckpointing = false;
    }

    /// <summary>A checkpoint has time, unless the log grows so fast that it would never catch up.</summary>
    private Func<CancellationToken, ValueTask>? PaceOf(long covered)
    {
        if (_engine.Host.CreatePace() is not { } pace) return null;
        return token => Volatile.Read(ref _tailBytes) > covered * TailsBeforeHaste ? default : pace(token);
    }
}
