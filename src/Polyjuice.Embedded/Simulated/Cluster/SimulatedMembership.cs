using Polyjuice.Embedded.Core;
using Polyjuice.Hosting;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Embedded.Simulated;

/// <summary>
/// What a cluster's membership does: says who is dead, and who owns a partition. Each node learns of it a little later, so views
/// are stale, and nobody takes a partition from its owner but by the log.
/// </summary>
internal sealed class SimulatedMembership
{
    /// <summary>How often owners are looked after, in microseconds.</summary>
    private const long StewardPeriod = 5_000;

    private readonly SimulatedWorld _world;
    private readonly IReadOnlyList<SimulatedSilo> _places;
    private readonly SimulationRandom _random;
    private readonly Silo?[] _owners;
    private readonly Silo?[] _releasing;
    private readonly bool[] _served;
    private readonly HashSet<(NodeId, int)> _acquiring = [];
    private readonly List<NodeId> _declaredDead = [];

    public SimulatedMembership(SimulatedWorld world, IReadOnlyList<SimulatedSilo> places, int partitions)
    {
        _world = world;
        _places = places;
        _random = world.Random.Fork(4);
        _owners = new Silo?[partitions];
        _releasing = new Silo?[partitions];
        _served = new bool[partitions];
    }

    /// <summary>Whether every partition is served by a silo that lives, and everybody knows which, and who is dead.</summary>
    public bool IsBalanced
    {
        get
        {
            for (var partition = 0; partition < _owners.Length; partition++)
            {
                if (!_served[partition] || _owners[partition] is not { Loop.IsStopped: false } owner || !owner.Engine.Owns(partition)) return false;
                foreach (var node in _world.Alive)
                {
                    if (node.Directory[partition] != new PartitionEntry(owner, true)) return false;
                }
            }

            return _world.Alive.All(static node => node.Directory.Nodes.All(static known => !known.Loop.IsStopped));
        }
    }

    public int Partitions => _owners.Length;

    /// <summary>Who owns what, for people.</summary>
    public string Describe() => string.Join(", ", _owners.Select((owner, partition) =>
        $"partition {partition} {(_served[partition] ? "is served by" : "is taken over by")} {owner?.Id}{(owner is { Loop.IsStopped: true } ? " (dead)" : "")}"));

    public void Start() => QueueSteward();

    /// <summary>A node comes: the others know it at once, and it knows what they do.</summary>
    public void Join(Node node)
    {
        _world.Add(node);
        foreach (var other in _world.Nodes.Where(known => !_declaredDead.Contains(known.Id)))
        {
            other.Directory.Add(node);
            if (!ReferenceEquals(other, node)) node.Directory.Add(other);
        }

        for (var partition = 0; partition < _owners.Length; partition++) View(node, partition);
        foreach (var dead in _declaredDead) ((SimulatedLoop)node.Loop).Queue(0, EventKind.Directory, () => node.NodeDied(dead));
        _world.TraceLine(() => $"{node.Name} {node.Id} starts");
    }

    /// <summary>A silo's own partitions come back to it, each when the present owner has let go of it.</summary>
    public void Rebalance()
    {
        for (var partition = 0; partition < _owners.Length; partition++)
        {
            if (HeirOf(partition) is not { } heir || ReferenceEquals(_owners[partition], heir)) continue;
            if (_owners[partition] is { Loop.IsStopped: false } owner && _served[partition]) Move(partition, owner, heir);
            else Assign(partition, heir);
        }
    }

    /// <summary>Gives a partition to a silo. Whoever owned it is not asked, and finds out from its view or from the log.</summary>
    public void Assign(int partition, Silo heir)
    {
        _world.TraceLine(() => $"partition {partition} is given to {heir.Name} {heir.Id}");
        _owners[partition] = heir;
        _served[partition] = false;
        _releasing[partition] = null;
        Tell(partition);
        Acquire(partition, heir);
    }

    /// <summary>A silo is dead from here on; the others learn that after the detection delay.</summary>
    public void Died(Silo silo)
    {
        _world.TraceLine(() => $"{silo.Name} {silo.Id} dies");
        _world.Events.Queue(_world.Options.DetectionDelay, EventKind.Directory, silo.Id.Value, () => DeclareDead(silo));
    }

    /// <summary>Everybody learns of a death, and of new owners.</summary>
    public void DeclareDead(Silo silo)
    {
        if (_declaredDead.Contains(silo.Id)) return;
        _declaredDead.Add(silo.Id);
        _world.TraceLine(() => $"{silo.Name} {silo.Id} is declared dead");
        foreach (var node in _world.Alive)
        {
            ((SimulatedLoop)node.Loop).Queue(Lag(node), EventKind.Directory, () =>
            {
                node.Directory.Remove(silo);
                node.NodeDied(silo.Id);
            });
        }

        LookAfter();
    }

    private long Lag(Node _) => _random.Between(0, _world.Options.DirectoryLag);

    private void Tell(int partition)
    {
        foreach (var node in _world.Alive)
        {
            var lag = ReferenceEquals(node, _owners[partition]) ? 0 : Lag(node);
            ((SimulatedLoop)node.Loop).Queue(lag, EventKind.Directory, () =>
            {
                // What is true by now, not what was when the news went out: views are late, but they don't go back.
                View(node, partition);
                if (node is Silo silo && !ReferenceEquals(_owners[partition], silo) && !ReferenceEquals(_releasing[partition], silo)) silo.Lose(partition);
                node.PartitionsChanged();
            });
        }
    }

    private void View(Node node, int partition)
    {
        if (_owners[partition] is { } owner) node.Directory.SetOwner(partition, owner, _served[partition]);
    }

    private void Move(int partition, Silo owner, Silo heir)
    {
        _owners[partition] = heir;
        _served[partition] = false;
        _releasing[partition] = owner;
        Tell(partition);
        ((SimulatedLoop)owner.Loop).Queue(0, EventKind.Directory, async () =>
        {
            await owner.ReleaseAsync(partition);
            Released(partition, owner);
        });
    }

    private void Released(int partition, Silo owner)
    {
        if (!ReferenceEquals(_releasing[partition], owner)) return;
        _releasing[partition] = null;
        if (_owners[partition] is { Loop.IsStopped: false } heir) Acquire(partition, heir);
    }

    private void Acquire(int partition, Silo silo)
    {
        if (!_acquiring.Add((silo.Id, partition))) return;
        ((SimulatedLoop)silo.Loop).Queue(0, EventKind.Directory, async () =>
        {
            try
            {
                // A silo that still believes in an older claim of its own gets a fresh start.
                silo.Lose(partition);
                if (silo.Engine.Owns(partition)) silo.Engine.ReleasePartition(partition);
                await silo.AcquireAsync(partition);
                Acquired(partition, silo);
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException)
            {
                _world.TraceLine(() => $"{silo.Name} could not take over partition {partition}: {exception.Message}");
            }

            _acquiring.Remove((silo.Id, partition));
        });
    }

    private void Acquired(int partition, Silo silo)
    {
        _world.TraceLine(() => $"{silo.Name} {silo.Id} serves partition {partition}");
        if (ReferenceEquals(_owners[partition], silo))
        {
            _served[partition] = true;
            Tell(partition);
        }
        else
        {
            silo.Lose(partition);
        }
    }

    // What a silo's membership does all the time: partitions of the dead and of the deposed get a new owner.
    private void LookAfter()
    {
        for (var partition = 0; partition < _owners.Length; partition++)
        {
            var owner = _owners[partition];
            if (owner is null || _declaredDead.Contains(owner.Id))
            {
                if (HeirOf(partition) is { } heir) Assign(partition, heir);
            }
            else if (_releasing[partition] is { Loop.IsStopped: true } gone)
            {
                Released(partition, gone);
            }
            else if (!owner.Loop.IsStopped && _releasing[partition] is null && !_acquiring.Contains((owner.Id, partition)) && !owner.Engine.Owns(partition))
            {
                Assign(partition, _random.Pick([.. _world.AliveSilos]));
            }
        }
    }

    private void QueueSteward() => _world.Events.Queue(
        StewardPeriod,
        EventKind.Directory,
        -1,
        () =>
        {
            LookAfter();
            QueueSteward();
        },
        background: true);

    private Silo? HeirOf(int partition)
    {
        for (var i = 0; i < _places.Count; i++)
        {
            if (_places[(partition + i) % _places.Count].Node is { } node) return node;
        }

        return null;
    }
}
