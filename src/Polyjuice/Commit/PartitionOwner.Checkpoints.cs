using Polyjuice.Diagnostics;

namespace Polyjuice.Commit;

// When to make a checkpoint. What is in it follows from the log alone, and is put together in the background; all that happens on the turn is the decision, and one small record.
internal sealed partial class PartitionOwner
{
    private long _tailBytes;
    private long _checkpointBytes;
    private bool _isCheckpointing;

    private void ConsiderCheckpoint()
    {
        if (_isCheckpointing || !_log.TakesCheckpoints || _tailBytes < Math.Max(Options.CheckpointBytes, _checkpointBytes)) return;
        _isCheckpointing = true;

        // Which outcomes the checkpoint may leave out follows from this record, and so from the log.
        LogRecords.WriteOldestLive(_batch, _engine.KnownOldestLive());
        Queue(new DurableAction(LogRecordKind.OldestLive, null, null, 0, 0, false, 0));
    }

    private async Task CheckpointAsync(long position)
    {
        var covered = _tailBytes;
        long length = 0;
        try
        {
            await _engine.Host.RunInBackground(async () => length = await Checkpointer.WriteAsync(_log, position, _engine.Names, _stopping.Token));
            if (IsStopped) return;
            _engine.Log.Checkpointed(Partition, position, length);
            _checkpointBytes = length;
            _engine.Statistics.Checkpoints++;
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
}
