using Polyjuice.Hosting;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Network;

/// <summary>Carries messages between processes: later, once, twice or never.</summary>
/// <param name="loop">When things happen.</param>
/// <param name="random">A stream of its own.</param>
/// <param name="endpointOf">Who an incarnation is; <see langword="null"/> when there is no such one.</param>
public sealed class SimulatedNetwork(EventLoop loop, SimulationRandom random, Func<NodeId, INetworkEndpoint?> endpointOf)
{
    private readonly HashSet<(NodeId, NodeId)> _cut = [];
    private readonly List<NetworkMessage> _held = [];

    /// <summary>How bad it is now.</summary>
    public NetworkProfile Profile { get; set; } = new();

    /// <summary>Decides about each message when it is sent.</summary>
    public Func<NetworkMessage, MessageFate>? Hook { get; set; }

    /// <summary>Takes a message apart before its parts are judged.</summary>
    public Func<NetworkMessage, IEnumerable<NetworkMessage>>? Split { get; set; }

    /// <summary>Messages that were given <see cref="MessageFate.Hold"/> and not released.</summary>
    public IReadOnlyList<NetworkMessage> Held => _held;

    /// <summary>How many messages were sent.</summary>
    public long MessagesSent { get; private set; }

    /// <summary>Loses everything between the two, both ways, until <see cref="Heal(NodeId, NodeId)"/>.</summary>
    public void Cut(NodeId a, NodeId b)
    {
        CutOneWay(a, b);
        CutOneWay(b, a);
    }

    /// <summary>Loses what the one sends to the other.</summary>
    public void CutOneWay(NodeId from, NodeId to) => _cut.Add((from, to));

    /// <summary>All see each other again.</summary>
    public void Heal() => _cut.Clear();

    /// <summary>The two see each other again.</summary>
    public void Heal(NodeId a, NodeId b)
    {
        _cut.Remove((a, b));
        _cut.Remove((b, a));
    }

    /// <summary>Sends a message.</summary>
    public void Send(NetworkMessage message)
    {
        MessagesSent++;
        loop.Note(((ulong)message.From.Value * 31) + (ulong)message.To.Value);
        loop.Note(message.Bytes);
        if (Split is null) SendWhole(message);
        else foreach (var part in Split(message)) SendWhole(part);
    }

    /// <summary>Sends a message once more, as a network that duplicates would, however late.</summary>
    public void Resend(NetworkMessage message) => Queue(message);

    /// <summary>Lets a held message go.</summary>
    public void Release(NetworkMessage message)
    {
        if (!_held.Remove(message)) throw new InvalidOperationException("The message is not held.");
        Queue(message);
    }

    /// <summary>Lets all go that are held.</summary>
    public void ReleaseAll()
    {
        foreach (var message in _held.ToArray()) Release(message);
    }

    private void SendWhole(NetworkMessage message)
    {
        switch (Hook?.Invoke(message) ?? MessageFate.Usual)
        {
            case MessageFate.Drop:
                return;
            case MessageFate.Hold:
                _held.Add(message);
                return;
            case MessageFate.Deliver:
                Queue(message);
                return;
            case MessageFate.Duplicate:
                Queue(message);
                Queue(message);
                return;
            default:
                if (random.Chance(Profile.Loss)) return;
                if (random.Chance(Profile.Duplication)) Queue(message);
                Queue(message);
                return;
        }
    }

    private void Queue(NetworkMessage message)
    {
        var delay = random.Between(Profile.DelayMin, Profile.DelayMax);
        if (random.Chance(Profile.Stray)) delay += random.Between(0, Profile.StrayDelay);
        loop.Queue(delay, EventKind.Message, message.To.Value, () =>
        {
            if (_cut.Contains((message.From, message.To))) return;
            endpointOf(message.To)?.Deliver(message);
        });
    }
}
