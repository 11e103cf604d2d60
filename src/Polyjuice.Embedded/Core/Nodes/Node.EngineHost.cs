using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

internal abstract partial class Node : IEngineHost
{
    private static readonly SendOrPostCallback s_runAction = static state => ((Action)state!)();

    private readonly SplitMix _random;
    private bool _isFlushRequested;

    /// <inheritdoc/>
    public long UtcMicroseconds => Loop.TurnTime;

    /// <inheritdoc/>
    public long RecentMicroseconds => Loop.RecentTime;

    /// <inheritdoc/>
    public long BusyMicroseconds => Loop.BusyTime;

    /// <inheritdoc/>
    public ulong NextRandom() => _random.Next();

    /// <inheritdoc/>
    public void Send(NodeId destination, ReadOnlySpan<byte> batch)
    {
        // A dead node's messages are lost, as on a network.
        if (Directory.Find(destination) is not { } node) return;
        if (ReferenceEquals(node, this))
        {
            var copy = batch.ToArray();
            Loop.Post(state => Engine.Receive(Id, (byte[])state!), copy);
            return;
        }

        var buffer = BufferTo(node);
        var mark = buffer.BeginMessage();
        buffer.GetSpan(1)[0] = (byte)MessageKind.Engine;
        buffer.Advance(1);
        batch.CopyTo(buffer.GetSpan(batch.Length));
        buffer.Advance(batch.Length);
        buffer.EndMessage(mark);
    }

    /// <inheritdoc/>
    public void Schedule(long delayMicroseconds, Action callback) =>
        Loop.Schedule(Loop.UtcMicroseconds + delayMicroseconds, s_runAction, callback);

    /// <inheritdoc/>
    public void ScheduleHousekeeping(long delayMicroseconds, Action callback) =>
        Loop.ScheduleHousekeeping(Loop.UtcMicroseconds + delayMicroseconds, s_runAction, callback);

    /// <inheritdoc/>
    public void RequestFlush() => _isFlushRequested = true;

    /// <inheritdoc/>
    public Task RunInBackground(Func<Task> work) => Runtime.Platform.RunInBackground(work);

    /// <inheritdoc/>
    public Task RunBeside(Func<Task> work) => Runtime.Platform.RunBeside(work);

    /// <inheritdoc/>
    public void NoteCheckpoint(bool begins) => Loop.NoteCheckpoint(begins);

    /// <inheritdoc/>
    public Func<CancellationToken, ValueTask>? CreatePace() => Runtime.Platform.CreatePace();

    /// <inheritdoc/>
    public bool IsGone(NodeId node) => Runtime.Platform.IsGone(node);

    /// <inheritdoc/>
    public NodeId OwnerOf(int partition) => Directory.OwnerOf(partition);

    /// <inheritdoc/>
    public NodeId OwnerOfRow(string grain, string state) => Directory.OwnerOf(StableHash.Partition(grain, Runtime.Partitions.Count));

    /// <inheritdoc/>
    public virtual void WakeRow(string grain, string state)
    {
    }

    /// <inheritdoc/>
    public virtual ValueTask<bool> LoadGrainAsync(string grain) => new(false);

    /// <inheritdoc/>
    public virtual void RowLost(string grain, string state)
    {
    }
}
