using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// The states that this node serves and that are kept in rows of their own. Each is a partition with one participant,
/// which comes and goes with its grain's activation. There may be very many, so nothing here looks at all of them.
/// </summary>
internal sealed class RowOwners(
    OwnerParts shared, EngineContext context, DeadNodes dead, Mail mail, Timers timers)
{
    private readonly Dictionary<int, PartitionOwner> _rows = [];
    private readonly List<PartitionOwner> _rowsToFlush = [];
    private readonly RestlessRows _restlessRows = new();

    // Kept while the node runs, as rows' numbers are, of those that were served and not stored since.
    private readonly Dictionary<int, long> _unstoredEpochs = [];

    /// <summary>Whether there are any.</summary>
    public bool Any => _rows.Count > 0;

    public IEnumerable<PartitionOwner> All => _rows.Values;

    /// <summary>Whether something about some of them is unfinished.</summary>
    public bool HasRestless => _restlessRows.Count > 0;

    /// <summary>
    /// Loads a row and serves its state from then on: what a grain does when it is activated, for each of its states
    /// in rows. Completes when it serves. An earlier activation's claim at this node ends. The row is fenced with
    /// what is written first, or before it is served if anything in it is undecided.
    /// </summary>
    /// <param name="key">Which state of which grain.</param>
    /// <param name="codec">How its values are copied, and written into messages of the engine to itself.</param>
    /// <param name="store">The row.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="LogUnusableException">
    /// The row holds what can't be right, or what a newer version wrote.
    /// </exception>
    /// <exception cref="CodingException">The row holds what this version does not understand.</exception>
    /// <exception cref="OperationCanceledException">
    /// Cancelled, stopped, released, or taken over by another node meanwhile.
    /// </exception>
    public async Task AcquireAsync<T>(
        ParticipantKey key, IStateCodec<T> codec, IRowStore<T> store,
        CancellationToken cancellationToken) where T : class
    {
        ObjectDisposedException.ThrowIf(context.IsStopped, shared);
        Release(key);
        var partition = NumberOf(key);
        var log = new RowLog<T>(
            key, partition, codec, store, context.Names, context.Options, () => context.Host.UtcMicroseconds);
        if (_unstoredEpochs.TryGetValue(partition, out var used)) log.BeginAt(used);
        var owner = new PartitionOwner(shared, partition, log);
        _rows.Add(partition, owner);
        try
        {
            await owner.AcquireAsync(cancellationToken);
        }
        catch
        {
            if (_rows.GetValueOrDefault(partition) == owner) Release(owner);
            throw;
        }

        context.Log.Acquired(context.Names.Describe(partition), owner.Epoch);
        timers.EnsureTicking();
    }

    /// <summary>
    /// Stops serving a state in a row: its grain is deactivated. What is
    /// undecided there is decided by the next owner, whom whoever needs it wakes.
    /// </summary>
    public void Release(ParticipantKey key)
    {
        if (Find(NumberOf(key)) is { } owner) Release(owner);
    }

    /// <summary>Whether this node serves the state in a row, as far as it knows.</summary>
    public bool Owns(ParticipantKey key) => Find(NumberOf(key)) is { IsActive: true };

    /// <summary>
    /// Whether nothing of a state in a row that this node serves is undecided, or waits to be forgotten: then a host
    /// may deactivate its grain without making anybody wait.
    /// </summary>
    public bool IsAtRest(ParticipantKey key)
    {
        if (Find(NumberOf(key)) is not { } owner) return true;

        // Somebody waits for it now.
        if (owner.IsActive) owner.SeekRest();
        return owner.IsActive && !owner.HasUnfinished && !owner.HasWork;
    }

    /// <summary>
    /// An epoch of this node's, and all numbers below it, are in the row now, and never come again. The answer to a
    /// store may be late: a later owner here may have used a higher number meanwhile.
    /// </summary>
    public void Fenced(int partition, long epoch)
    {
        if (_unstoredEpochs.GetValueOrDefault(partition) <= epoch) _unstoredEpochs.Remove(partition);
    }

    /// <summary>
    /// L1: epochs only grow. But an owner that has stored nothing has left its epoch in no row, and others may wait
    /// for a word of it or of a later one (V2): who has used such a number, or hears of it, begins behind it next
    /// time.
    /// </summary>
    public void BeginAfter(int partition, long epoch) =>
        _unstoredEpochs[partition] = Math.Max(_unstoredEpochs.GetValueOrDefault(partition), epoch);

    public void AwaitFlush(PartitionOwner row)
    {
        if (row.AwaitsFlush) return;
        row.AwaitsFlush = true;
        _rowsToFlush.Add(row);
    }

    public void AwaitTick(PartitionOwner row)
    {
        _restlessRows.Add(row);
        timers.EnsureTicking();
    }

    public int NumberOf(ParticipantKey key) => context.Names.NumberOf(new RowKey(key.Grain, key.State));

    public PartitionOwner? Find(int partition) =>
        PartitionNames.IsRow(partition) ? _rows.GetValueOrDefault(partition) : null;

    private void Release(PartitionOwner row)
    {
        row.Stop();
        Forget(row);
    }

    public void Depose(PartitionOwner row)
    {
        Forget(row);
        if (!context.IsStopped && context.Names.TryGetKey(row.Partition, out var key))
            context.Host.RowLost(key.Grain, key.State);
    }

    private void Forget(PartitionOwner row)
    {
        // R1b: what it has served must not be taken for what the next one serves.
        if (!row.IsFenced && row.Epoch > 0) BeginAfter(row.Partition, row.Epoch);
        if (_rows.GetValueOrDefault(row.Partition) == row) _rows.Remove(row.Partition);
        _rowsToFlush.Remove(row);
        _restlessRows.Remove(row);
        mail.RequestFlush();
    }

    public bool Flush()
    {
        if (_rowsToFlush.Count == 0) return false;
        var rows = _rowsToFlush.ToArray();
        _rowsToFlush.Clear();
        foreach (var row in rows)
        {
            row.AwaitsFlush = false;
            row.Flush();
        }

        return true;
    }

    public void Tick(long now) => _restlessRows.Tick(now);

    public NodeId OwnerOf(in Message message)
    {
        if (!context.Names.TryGetKey(message.Partition, out var key)) return NodeId.None;
        var owner = context.Host.OwnerOfRow(key.Grain, key.State);

        // The host's directory may still name a node of whose death it has told this engine.
        if (owner == NodeId.None || owner == context.Node || dead.Contains(owner)) Wake(message);
        return owner;
    }

    /// <summary>
    /// Whoever asks a row that nobody serves will ask again: meanwhile
    /// its grain is activated. Nobody needs an answer to the rest.
    /// </summary>
    public void Wake(in Message message)
    {
        var isNeeded = message.Kind is MessageKind.Prepare or MessageKind.Query or MessageKind.AbortRequest
            or MessageKind.Vote or MessageKind.DependencyQuery
            || (message.Kind == MessageKind.Outcome && OutcomeMessage.Read(message).IsCommitted);
        if (!isNeeded || _rows.ContainsKey(message.Partition)
            || !context.Names.TryGetKey(message.Partition, out var key))
            return;
        context.Host.WakeRow(key.Grain, key.State);
    }
}
