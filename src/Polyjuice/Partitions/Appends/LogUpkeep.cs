using Polyjuice.Contracts;
using Polyjuice.Storage;

namespace Polyjuice.Partitions;

/// <summary>
/// What keeps an owner's log short: when to make a checkpoint, and what to say of who is over. What is in a checkpoint
/// follows from the log alone, and is put together in the background; all that happens on the turn is the decision, and
/// one small record.
/// </summary>
internal sealed class LogUpkeep(
    OwnerParts shared, Ownership ownership, IPartitionLog log, AppendPipeline appends)
{
    /// <summary>
    /// When the log behind the last checkpoint has grown to so many times what it was when the next one began, nothing
    /// holds that back any more.
    /// </summary>
    private const int TailsBeforeHaste = 3;

    /// <summary>How much may be appended before the log says again what is over.</summary>
    private const int BytesBetweenOldestLive = 256 << 10;

    // Whose deaths the log says.
    private readonly HashSet<NodeId> _deaths = [];
    private List<TransactionId>? _over;
    private long _tailBytes;
    private long _sinceOldestLive;
    private long _checkpointBytes;
    private bool _isCheckpointing;

    /// <summary>What there was when the owner came.</summary>
    public void Recover(RecoveredLog known)
    {
        _checkpointBytes = known.CheckpointBytes;
        _tailBytes = known.TailBytes;
    }

    /// <summary>The log says that a node is dead.</summary>
    public void NoteDeath(NodeId node) => _deaths.Add(node);

    /// <summary>
    /// V6: what is forgotten because its agent is dead is forgotten behind the word of that death. The node may live
    /// all the same, and not know what others think of it. If it could take the log over, or another one that has not
    /// heard of it, its agent would hear from there that nothing is known, take that for an abort, and do again what
    /// has committed.
    /// </summary>
    public void SayDeathOf(NodeId node)
    {
        if (!shared.Dead.Contains(node) || !_deaths.Add(node)) return;
        LogRecords.WriteOldestLive(appends.Records, [new(node, LogRecords.NoneLive)]);
    }

    /// <summary>
    /// An outcome that a row need not keep once its agent, if it is of this node, has told its caller.
    /// </summary>
    public void NoteOver(TransactionId id) => (_over ??= []).Add(id);

    /// <summary>What goes with the next append, whatever that is for.</summary>
    public void WriteAlong()
    {
        WriteOldestLive();
        WriteOver();
    }

    /// <summary>So many bytes are on their way.</summary>
    public void Sent(int bytes) => _sinceOldestLive += bytes;

    /// <summary>So many bytes are in the log.</summary>
    public void Appended(int bytes) => _tailBytes += bytes;

    public void ConsiderCheckpoint()
    {
        if (_isCheckpointing || !log.TakesCheckpoints
            || _tailBytes < Math.Max(shared.Options.CheckpointBytes, _checkpointBytes))
        {
            return;
        }
        _isCheckpointing = true;
        shared.Host.NoteCheckpoint(begins: true);

        // Which outcomes the checkpoint may leave out follows from this record, and so from the log.
        LogRecords.WriteOldestLive(appends.Records, shared.Agents.KnownOldestLive());
        appends.Queue(new DurableAction(LogRecordKind.OldestLive));
        shared.Host.NoteCheckpoint(begins: false);
    }

    /// <summary>Makes a checkpoint of all that is in the log.</summary>
    public async Task CheckpointAsync()
    {
        shared.Host.NoteCheckpoint(begins: true);
        var position = appends.Position;
        var covered = _tailBytes;
        long length = 0;
        var pace = PaceOf(covered);
        try
        {
            var work = shared.Host.RunInBackground(async () => length = await Checkpointer.WriteAsync(
                log, position, shared.Options.CheckpointBytes, pace, ownership.Stopping));
            shared.Host.NoteCheckpoint(begins: false);
            await work;
            if (ownership.IsStopped) return;
            shared.Host.NoteCheckpoint(begins: true);
            shared.Log.Checkpointed(ownership.Partition, position, length);
            _checkpointBytes = length;
            shared.Statistics.Checkpoints++;
            shared.Host.NoteCheckpoint(begins: false);
        }
        catch (Exception exception)
        {
            if (ownership.IsStopped) return;
            shared.Log.CheckpointFailed(exception, ownership.Partition, position);
        }

        // After a failure too: tried again when as much has been logged once more.
        _tailBytes -= covered;
        _isCheckpointing = false;
    }

    /// <summary>
    /// Who reads the log can fold away what is over, as far as the log says that it is. Said now and then, so that
    /// neither a checkpoint in the making nor a recovery keeps in memory what has long been over: objects that live
    /// that long are what makes the garbage collector stop silos.
    /// </summary>
    private void WriteOldestLive()
    {
        // A row says it with every store: which records it may drop follows from this.
        if (!ownership.IsRow && (_sinceOldestLive < BytesBetweenOldestLive || !log.TakesCheckpoints)) return;
        _sinceOldestLive = 0;
        LogRecords.WriteOldestLive(appends.Records, shared.Agents.KnownOldestLive());
    }

    /// <summary>
    /// Outcomes that a row need not keep: all that depend on them are confirmed (V6), and their agent, of this node,
    /// has told its caller. A node's oldest live attempt says the same later, when all before it have ended; with every
    /// store writing down what a row has to keep, that matters where there is much to do.
    /// </summary>
    private void WriteOver()
    {
        if (_over is not { Count: > 0 } over) return;
        over.RemoveAll(id =>
        {
            if (!shared.Transactions.HasAgentEnded(id)) return false;
            LogRecords.WriteForget(appends.Records, id);
            return true;
        });
    }

    /// <summary>A checkpoint has time, unless the log grows so fast that it would never catch up.</summary>
    private Func<CancellationToken, ValueTask>? PaceOf(long covered)
    {
        if (shared.Host.CreatePace() is not { } pace) return null;
        return token => Volatile.Read(ref _tailBytes) > covered * TailsBeforeHaste ? default : pace(token);
    }
}
