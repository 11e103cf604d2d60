using System.Runtime.InteropServices;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Network;

/// <summary>Carries messages between processes: later, once, twice or never.</summary>
/// <param name="loop">When things happen.</param>
/// <param name="random">A stream of its own.</param>
/// <param name="endpointOf">Who an incarnation is; <see langword="null"/> when there is no such one.</param>
/// <param name="faults">Where faults are counted; they stop when it is full.</param>
internal sealed class SimulatedNetwork(
    EventLoop loop, SimulationRandom random, Func<NodeId, INetworkEndpoint?> endpointOf, FaultLedger faults)
{
    private readonly HashSet<(NodeId, NodeId)> _cut = [];
    private readonly List<NetworkMessage> _held = [];
    private readonly Dictionary<(NodeId, NodeId), long> _lastDelivered = [];

    /// <summary>How bad it is now.</summary>
    public NetworkProfile Profile { get; set; } = new();

    /// <summary>Decides about each message when it is sent.</summary>
    public Func<NetworkMessage, MessageFate>? Hook { get; set; }

    /// <summary>Takes a message apart before its parts are judged.</summary>
    public Func<NetworkMessage, IEnumerable<NetworkMessage>>? Split { get; set; }

    /// <summary>Hears of each message that is lost.</summary>
    public Action<NetworkMessage>? Lost { get; set; }

    /// <summary>How many messages were overtaken by a later one of the same sender and receiver.</summary>
    public long Reordered { get; private set; }

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
        message.Number = ++MessagesSent;
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
                Lost?.Invoke(message);
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
                if (random.Chance(Profile.Loss) && faults.TryEnter(FaultKinds.Loss))
                {
                    Lost?.Invoke(message);
                    return;
                }

                if (random.Chance(Profile.Duplication) && faults.TryEnter(FaultKinds.Duplication)) Queue(message);
                Queue(message);
                return;
        }
    }

    private void Queue(NetworkMessage message)
    {
        var delay = random.Between(Profile.DelayMin, Profile.DelayMax);
        if (random.Chance(Profile.Stray) && faults.TryEnter(FaultKinds.Delay))
            delay += random.Between(0, Profile.StrayDelay);
        loop.Queue(delay, EventKind.Message, message.To.Value, () =>
        {
            var link = (message.From, message.To);
            if (_cut.Contains(link))
            {
                Lost?.Invoke(message);
                return;
            }

            ref var last = ref CollectionsMarshal.GetValueRefOrAddDefault(_lastDelivered, link, out _);
            if (message.Number < last) Reordered++;
            else last = message.Number;
            endpointOf(message.To)?.Deliver(message);
        });
    }
}
