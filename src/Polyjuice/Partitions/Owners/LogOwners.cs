using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>The log partitions that this node owns, or is about to.</summary>
/// <param name="shared">What owners work for.</param>
/// <param name="context">Whose.</param>
/// <param name="mail">Asked for a flush when an owner goes.</param>
/// <param name="timers">Asked for ticks when an owner serves.</param>
/// <param name="logs">The logs of all partitions.</param>
internal sealed class LogOwners(
    OwnerParts shared, EngineContext context, Mail mail, Timers timers, ILogStore logs)
{
    private readonly PartitionOwner?[] _owners = new PartitionOwner?[logs.PartitionCount];
    private readonly List<PartitionOwner> _active = [];
    private long _batchSequence;

    /// <summary>How many log partitions there are, here and elsewhere.</summary>
    public int Count => _owners.Length;

    /// <summary>Those of this node, in the order in which it has acquired them.</summary>
    public IEnumerable<PartitionOwner> All => _active;

    /// <summary>Whether one of them has something to repeat, or to wait for.</summary>
    public bool HasUnfinished => _active.Exists(static owner => owner.HasUnfinished);

    /// <summary>The partition of a grain's states.</summary>
    public int PartitionOf(ParticipantKey key) => context.Host.Groups.PartitionOf(key.Grain, _owners.Length);

    /// <summary>Whether a partition has this number.</summary>
    public bool Has(int partition) => (uint)partition < (uint)_owners.Length;

    /// <summary>Its owner here; it may still recover.</summary>
    public PartitionOwner? Find(int partition) => _owners[partition];

    /// <summary>Whether this node serves the partition, as far as it knows.</summary>
    public bool Owns(int partition) => _owners[partition] is { IsActive: true };

    /// <summary>
    /// Which log it is and why, if a partition's log can't be written at present, or can't be taken over; <see
    /// langword="null"/> where nothing of the kind has lasted, or this node has nothing to do with it.
    /// </summary>
    /// <param name="partition">0 to the number of partitions − 1.</param>
    public string? OutageOf(int partition) => _owners[partition] is { IsLogOut: true } owner ? owner.LogFailure : null;

    /// <summary>
    /// Whether the log partition of a state's grain holds a content of it. False where this node does not serve that.
    /// </summary>
    public bool Holds(ParticipantKey key) => FindParticipant(key) is { } participant && participant.Last.Id != default;

    /// <summary>
    /// A grain's activation has gone: who reserves its state is to have it activated first. Reads and updates by
    /// calls need no such word.
    /// </summary>
    /// <param name="key">Which state of which grain, kept in a log.</param>
    public void GrainGone(ParticipantKey key)
    {
        if (FindParticipant(key) is { } participant) participant.IsLoaded = false;
    }

    /// <summary>
    /// Fences a partition's log, recovers from it, and serves it from then on. Completes when it serves.
    /// </summary>
    /// <exception cref="CodingException">The log holds what this version does not understand.</exception>
    /// <exception cref="OperationCanceledException">Cancelled, stopped, or released meanwhile.</exception>
    public async Task AcquireAsync(int partition, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(context.IsStopped, shared);
        if (_owners[partition] is not null)
            throw new InvalidOperationException(
                $"Partition {partition} is already owned, or being acquired, by {context.Node}.");
        var owner = new PartitionOwner(shared, partition, logs.Open(partition));
        _owners[partition] = owner;
        _active.Add(owner);
        try
        {
            await owner.AcquireAsync(cancellationToken);
        }
        catch
        {
            Release(partition, owner);
            throw;
        }

        context.Log.Acquired(context.Names.Describe(partition), owner.Epoch);
        timers.EnsureTicking();
    }

    /// <summary>Stops serving a partition; what is undecided there is decided by the next owner.</summary>
    public void Release(int partition)
    {
        if (_owners[partition] is { } owner) Release(partition, owner);
    }

    /// <summary>An owner was stopped.</summary>
    public void Forget(PartitionOwner owner)
    {
        _active.Remove(owner);
        if (_owners[owner.Partition] == owner) _owners[owner.Partition] = null;
        mail.RequestFlush();
    }

    /// <summary>Names a batch of a log for good, whoever writes it.</summary>
    public BatchId NextBatchId() => new(context.Node.Value, ++_batchSequence);

    /// <summary>The agent, or this node, has given up an attempt before anything was prepared.</summary>
    public void Abandon(TransactionId id)
    {
        foreach (var owner in _active) owner.Abandon(id);
    }

    /// <summary>Whether an attempt may still access states here: no owner knows that it is over.</summary>
    public bool TakeAccessesOf(TransactionId id)
    {
        foreach (var owner in _active)
        {
            if (owner.IsActive && !owner.TakesAccessesOf(id)) return false;
        }

        return true;
    }

    /// <returns>Whether one of them had anything to do.</returns>
    public bool Flush()
    {
        var hadWork = false;

        // An owner that goes meanwhile leaves the list.
        for (var i = 0; i < _active.Count; i++)
        {
            var owner = _active[i];
            if (!owner.HasWork) continue;
            owner.Flush();
            hadWork = true;
        }

        return hadWork;
    }

    public void Tick(long now)
    {
        foreach (var owner in _active.ToArray()) owner.Tick(now);
    }

    private Participant? FindParticipant(ParticipantKey key) =>
        _owners[PartitionOf(key)] is { IsActive: true } owner ? owner.FindParticipant(key) : null;

    private void Release(int partition, PartitionOwner owner)
    {
        if (_owners[partition] != owner) return;
        owner.Stop();
        Forget(owner);
    }
}
