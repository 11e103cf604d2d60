using Polyjuice.Diagnostics;

namespace Polyjuice.Commit;

// When to make a checkpoint. What is in it follows from the log alone, and is put together in the background; all that happens on the turn is the decision, and one small record.
internal sealed partial class PartitionOwner
{
    /// <summary>When the log behind the last checkpoint has grown to so many times what it was when the next one began, nothing holds that back any more.</summary>
    private const int TailsBeforeHaste = 3;

    private long _tailBytes;
    private long _checkpointBytes;
    private bool _isCheckpointing;

    private void ConsiderCheckpoint()
    {
        if (_isCheckpointing || !_log.TakesCheckpoints || _tailBytes < Math.Max(Options.CheckpointBytes, _checkpointBytes)) return;
        _isCheckpointing = true;
        _engine.Host.NoteCheckpoint(begins: true);

        // Which outcomes the checkpoint may leave out follows from this record, and so from the log.
        LogRecords.WriteOldestLive(_batch, _engine.KnownOldestLive());
        Queue(new DurableAction(LogRecordKind.OldestLive, null, null, 0, 0, false, 0));
        _engine.Host.NoteCheckpoint(begins: false);
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
