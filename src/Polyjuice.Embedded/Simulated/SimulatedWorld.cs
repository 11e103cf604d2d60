using Polyjuice.Embedded.Core;
using Polyjuice.Hosting;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Embedded.Simulated;

/// <summary>What all of a simulated cluster stands on: the queue of events, network and logs, and the nodes that there ever were.</summary>
internal sealed class SimulatedWorld
{
    /// <summary>Virtual time 0 as a right clock shows it.</summary>
    public const long Epoch = 1_750_000_000_000_000;

    private readonly Dictionary<NodeId, Node> _nodes = [];
    private readonly List<string> _trace = [];
    private SimulationFailedException? _failure;
    private long _lastNode;

    public SimulatedWorld(SimulationOptions options, int partitions)
    {
        Options = options;
        Random = new SimulationRandom(options.Seed);
        Faults = new FaultLedger { Budget = options.FaultsMax };
        Logs = new SimulatedLogs(Events, Random.Fork(1), partitions, Faults) { Profile = options.Storage };
        Network = new SimulatedNetwork(Events, Random.Fork(2), id => _nodes.GetValueOrDefault(id)?.Loop as SimulatedLoop, Faults) { Profile = options.Network };
    }

    public SimulationOptions Options { get; }

    public EventLoop Events { get; } = new();

    public SimulationRandom Random { get; }

    public ThreadGuard Guard { get; } = new();

    public SimulatedLogs Logs { get; }

    public SimulatedNetwork Network { get; }

    public FaultLedger Faults { get; }

    /// <summary>Asked before each flush how many of its messages go out before the node dies of it.</summary>
    public Func<Node, int>? BeforeFlush { get; set; }

    /// <summary>Kills a silo that dies in the middle of a flush.</summary>
    public required Action<Silo> Kill { get; init; }

    /// <summary>Events of the engines' housekeeping that are queued.</summary>
    public int Housekeeping { get; set; }

    public IReadOnlyList<string> Trace => _trace;

    /// <summary>Every incarnation that there ever was, in order of birth.</summary>
    public IEnumerable<Node> Nodes => _nodes.Values;

    public IEnumerable<Node> Alive => _nodes.Values.Where(static node => !node.Loop.IsStopped);

    /// <summary>Silos in order of birth.</summary>
    public IEnumerable<Silo> AliveSilos => Alive.OfType<Silo>();

    /// <summary>The loop of the cluster's client.</summary>
    public NodeLoop ClientLoop { get; set; } = null!;

    /// <summary>Whether nothing is about to happen but what repeats itself.</summary>
    public bool IsStill => Events.ForegroundEvents == Housekeeping;

    public NodeId NextNodeId() => new(++_lastNode);

    public Node Find(NodeId id) => _nodes[id];

    public void Add(Node node) => _nodes.Add(node.Id, node);

    /// <summary>The next event, unless the run has failed already.</summary>
    /// <returns>False when there is none.</returns>
    public bool Step()
    {
        var ran = Events.Step();
        ThrowIfFailed();
        return ran;
    }

    public void ThrowIfFailed()
    {
        Guard.ThrowIfEscaped();
        if (_failure is not null) throw _failure;
    }

    /// <summary>Something broke in a place that can't throw through the host: the next step does.</summary>
    public void Fail(SimulationFailedException failure) => _failure ??= failure;

    public void TraceLine(Func<string> line)
    {
        if (Options.Trace) _trace.Add($"{Events.Now,10}: {line()}");
    }
}
