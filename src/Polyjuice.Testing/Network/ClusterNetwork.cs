using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Polyjuice.Testing;

/// <summary>
/// The network of a test cluster. Messages between processes can be delayed, connections severed, and the batches that
/// silos' engines exchange lost, doubled and held back; all of it may change at any time. Processes are named by
/// <see cref="TestSilo.Name"/> and <see cref="Client"/>, and what is said of a name also holds for a silo that returns
/// under it. Thread-safe.
/// </summary>
/// <remarks>
/// Delays hold for connections, so for grain calls and engines' batches alike; messages within a process are never
/// delayed. Calls are not lost one by one, because Orleans' connections are reliable: they are lost with their
/// connection.
/// </remarks>
public sealed class ClusterNetwork
{
    /// <summary>The client's name.</summary>
    public const string Client = "Client";

    private static readonly TimeSpan s_delayMax = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly Dictionary<int, NetworkNode> _ports = [];
    private readonly Dictionary<(NetworkNode From, NetworkNode To), NetworkLine> _lines = [];
    private readonly Dictionary<(string From, string To), TimeSpan> _delays = [];
    private readonly HashSet<(string One, string Other)> _severed = [];
    private readonly HashSet<(string From, string To)> _blocked = [];
    private readonly List<NetworkConnection> _connections = [];
    private TimeSpan _delay;

    /// <summary>
    /// A network without processes. A <see cref="PolyjuiceTestCluster"/>
    /// makes its own; <c>UseNetwork</c> puts others on one.
    /// </summary>
    /// <param name="delay">See <see cref="Delay"/>.</param>
    /// <param name="seed">What the chances of <see cref="Batches"/> are drawn from.</param>
    /// <exception cref="ArgumentOutOfRangeException">The delay is out of its bounds.</exception>
    internal ClusterNetwork(TimeSpan delay, int seed = 0)
    {
        Check(delay);
        _delay = delay;
        Batches = new(seed);
    }

    /// <summary>How long each message between two processes is under way, one way. 0 to 10 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public TimeSpan Delay
    {
        get
        {
            lock (_gate) return _delay;
        }

        set
        {
            Check(value);
            lock (_gate)
            {
                _delay = value;
                Update();
            }
        }
    }

    /// <summary>What happens to the batches that silos' engines exchange.</summary>
    public BatchFaults Batches { get; }

    /// <summary>The connections between two processes at this moment.</summary>
    internal int Connections
    {
        get
        {
            lock (_gate) return _connections.Count(connection => connection.Other is not null);
        }
    }

    internal NetworkNode ClientNode { get; } = new(Client);

    /// <summary>
    /// Sets the delay from one process to another, one way, in place
    /// of <see cref="Delay"/>; <see langword="null"/> unsets it.
    /// </summary>
    /// <param name="from">Who sends.</param>
    /// <param name="to">Who receives.</param>
    /// <param name="delay">0 to 10 s.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its bounds.</exception>
    public void SetDelay(string from, string to, TimeSpan? delay)
    {
        if (delay is { } value) Check(value);
        lock (_gate)
        {
            if (delay is { } set) _delays[(from, to)] = set;
            else _delays.Remove((from, to));
            Update();
        }
    }

    /// <summary>
    /// Breaks all connections between two processes, and every new one. Calls under way on them fail or time out. If it
    /// lasts, silos declare each other dead.
    /// </summary>
    /// <param name="one">A process's name.</param>
    /// <param name="other">Another one's.</param>
    public void Sever(string one, string other)
    {
        lock (_gate)
        {
            _severed.Add(Pair(one, other));
            Update();
        }

        Disconnect(one, other);
    }

    /// <summary>Breaks all connections between two processes, once. New ones are made.</summary>
    /// <param name="one">A process's name.</param>
    /// <param name="other">Another one's.</param>
    public void Disconnect(string one, string other)
    {
        foreach (var connection in Between(one, other)) connection.Abort();
    }

    /// <summary>Loses all batches from one silo's engines to another's, one way. Grain calls get through.</summary>
    /// <param name="from">Who sends.</param>
    /// <param name="to">Who receives.</param>
    public void Block(string from, string to)
    {
        lock (_gate)
        {
            _blocked.Add((from, to));
            Update();
        }
    }

    /// <summary>Loses all batches between two silos' engines, both ways. Grain calls get through.</summary>
    /// <param name="one">A process's name.</param>
    /// <param name="other">Another one's.</param>
    public void Partition(string one, string other)
    {
        Block(one, other);
        Block(other, one);
    }

    /// <summary>Ends what <see cref="Block"/> began.</summary>
    /// <param name="from">As it was said to <see cref="Block"/>.</param>
    /// <param name="to">Likewise.</param>
    public void Unblock(string from, string to)
    {
        lock (_gate)
        {
            _blocked.Remove((from, to));
            Update();
        }
    }

    /// <summary>Ends what <see cref="Partition"/> began.</summary>
    /// <param name="one">A process's name.</param>
    /// <param name="other">Another one's.</param>
    public void Unpartition(string one, string other)
    {
        Unblock(one, other);
        Unblock(other, one);
    }

    /// <summary>
    /// Ends what <see cref="Sever"/>, <see cref="Block"/> and <see cref="Partition"/> began between two processes.
    /// </summary>
    /// <param name="one">A process's name.</param>
    /// <param name="other">Another one's.</param>
    public void Heal(string one, string other)
    {
        lock (_gate)
        {
            _severed.Remove(Pair(one, other));
            _blocked.Remove((one, other));
            _blocked.Remove((other, one));
            Update();
        }
    }

    /// <summary>Ends all that <see cref="Sever"/>, <see cref="Block"/> and <see cref="Partition"/> began.</summary>
    public void Heal()
    {
        lock (_gate)
        {
            _severed.Clear();
            _blocked.Clear();
            Update();
        }
    }

    /// <summary>A silo begins. Connections to its ports are its own.</summary>
    internal NetworkNode Add(string name, int siloPort, int gatewayPort)
    {
        var node = new NetworkNode(name);
        lock (_gate)
        {
            _ports[siloPort] = node;
            if (gatewayPort != 0) _ports[gatewayPort] = node;
        }

        return node;
    }

    /// <summary>A silo has ended.</summary>
    internal void Remove(NetworkNode node)
    {
        lock (_gate)
        {
            foreach (var port in _ports.Where(port => ReferenceEquals(port.Value, node)).Select(port => port.Key)
                .ToArray())
                _ports.Remove(port);
            foreach (var line in _lines.Keys.Where(
                line => ReferenceEquals(line.From, node) || ReferenceEquals(line.To, node))
                .ToArray())
                _lines.Remove(line);
        }
    }

    /// <summary>Nothing from or to a node arrives from now on; its connections break.</summary>
    internal void Cut(NetworkNode node)
    {
        node.Cut();
        List<NetworkConnection> broken;
        lock (_gate) broken = [.. _connections.Where(connection => connection.Touches(node))];
        foreach (var connection in broken) connection.Abort();
    }

    /// <summary>Who listens at an endpoint.</summary>
    internal NetworkNode? At(EndPoint? endpoint)
    {
        lock (_gate) return endpoint is IPEndPoint address ? _ports.GetValueOrDefault(address.Port) : null;
    }

    /// <summary>The line from one node to another.</summary>
    internal NetworkLine Line(NetworkNode from, NetworkNode to)
    {
        lock (_gate)
        {
            if (_lines.TryGetValue((from, to), out var line)) return line;
            line = new(from, to);
            Update(line);

            // Those of nodes that are gone are nobody's to keep.
            if (!from.IsCut && !to.IsCut) _lines.Add((from, to), line);
            return line;
        }
    }

    /// <summary>A connection begins.</summary>
    /// <exception cref="ConnectionAbortedException">It must not.</exception>
    internal void Add(NetworkConnection connection)
    {
        lock (_gate)
        {
            var isCut = connection.Own.IsCut
                || (connection.Other is { } other
                    && (other.IsCut || _severed.Contains(Pair(connection.Own.Name, other.Name))));
            if (isCut)
                throw new ConnectionAbortedException($"{connection.Own} can't be reached (a fault of the test).");
            _connections.Add(connection);
        }
    }

    /// <summary>A connection has ended.</summary>
    internal void Remove(NetworkConnection connection)
    {
        lock (_gate) _connections.Remove(connection);
    }

    private List<NetworkConnection> Between(string one, string other)
    {
        var pair = Pair(one, other);
        lock (_gate)
            return [
                .. _connections.Where(
                    connection => connection.Other is { } end && Pair(connection.Own.Name, end.Name) == pair)
            ];
    }

    private void Update()
    {
        foreach (var line in _lines.Values) Update(line);
    }

    private void Update(NetworkLine line)
    {
        var names = (line.From.Name, line.To.Name);
        line.Delay = _delays.TryGetValue(names, out var delay) ? delay : _delay;
        line.IsSevered = _severed.Contains(Pair(names.Item1, names.Item2));
        line.IsBlocked = _blocked.Contains(names);
    }

    private static (string, string) Pair(string one, string other) =>
        string.CompareOrdinal(one, other) < 0 ? (one, other) : (other, one);

    private static void Check(TimeSpan delay)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(delay, s_delayMax);
    }
}
