using Polyjuice.Hosting;

namespace Polyjuice.Tests.Harness;

internal enum TrafficKind : byte
{
    /// <summary>A batch of the engine's own messages.</summary>
    Engine,

    /// <summary>A grain call.</summary>
    Call,

    /// <summary>Its answer.</summary>
    Answer,
}

/// <summary>A message under way.</summary>
internal sealed class NetworkMessage(NodeId from, NodeId to, TrafficKind kind, byte[] bytes, object? content)
{
    public NodeId From { get; } = from;

    public NodeId To { get; } = to;

    public TrafficKind Kind { get; } = kind;

    /// <summary>The engine's bytes: a batch, a token or a report.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>The host's part of a call or an answer.</summary>
    public object? Content { get; } = content;
}

/// <summary>What becomes of a message.</summary>
internal enum Fate : byte
{
    /// <summary>As the profile says.</summary>
    Usual,

    /// <summary>Delivered, neither lost nor duplicated.</summary>
    Deliver,

    /// <summary>Lost.</summary>
    Drop,

    /// <summary>Delivered twice.</summary>
    Duplicate,

    /// <summary>Kept until the test releases it.</summary>
    Hold,
}

/// <summary>How bad the network is. Delays in microseconds; a wide range reorders.</summary>
internal sealed record NetworkProfile(long DelayMin = 100, long DelayMax = 400, double Loss = 0, double Duplication = 0, double Stray = 0, long StrayDelay = 20_000);

/// <summary>Carries messages between nodes, later, once, twice or never.</summary>
internal sealed class SimulatedNetwork(EventLoop loop, SimulationRandom random, Func<NodeId, SimulatedNode?> nodeOf)
{
    private readonly HashSet<(NodeId, NodeId)> _cut = [];
    private readonly List<NetworkMessage> _held = [];

    public NetworkProfile Profile { get; set; } = new();

    /// <summary>Decides about each message when it is sent.</summary>
    public Func<NetworkMessage, Fate>? Hook { get; set; }

    /// <summary>Takes a message apart before its parts are judged.</summary>
    public Func<NetworkMessage, IEnumerable<NetworkMessage>>? Split { get; set; }

    public IReadOnlyList<NetworkMessage> Held => _held;

    public long MessagesSent { get; private set; }

    /// <summary>Loses everything between the two nodes, both ways, until <see cref="Heal"/>.</summary>
    public void Cut(NodeId a, NodeId b)
    {
        _cut.Add((a, b));
        _cut.Add((b, a));
    }

    public void Heal() => _cut.Clear();

    public void Heal(NodeId a, NodeId b)
    {
        _cut.Remove((a, b));
        _cut.Remove((b, a));
    }

    public void Send(NetworkMessage message)
    {
        MessagesSent++;
        loop.Note((ulong)message.From.Value * 31 + (ulong)message.To.Value);
        foreach (var b in message.Bytes) loop.Note(b);
        if (Split is null) SendWhole(message);
        else foreach (var part in Split(message)) SendWhole(part);
    }

    /// <summary>Sends a message once more, as a network that duplicates would, however late.</summary>
    public void Resend(NetworkMessage message) => Queue(message);

    private void SendWhole(NetworkMessage message)
    {
        switch (Hook?.Invoke(message) ?? Fate.Usual)
        {
            case Fate.Drop:
                return;
            case Fate.Hold:
                _held.Add(message);
                return;
            case Fate.Deliver:
                Queue(message);
                return;
            case Fate.Duplicate:
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

    /// <summary>Lets a held message go.</summary>
    public void Release(NetworkMessage message)
    {
        if (!_held.Remove(message)) throw new InvalidOperationException("The message is not held.");
        Queue(message);
    }

    public void ReleaseAll()
    {
        foreach (var message in _held.ToArray()) Release(message);
    }

    private void Queue(NetworkMessage message)
    {
        var delay = random.Between(Profile.DelayMin, Profile.DelayMax);
        if (random.Chance(Profile.Stray)) delay += random.Between(0, Profile.StrayDelay);
        loop.Queue(delay, EventKind.Message, message.To.Value, () =>
        {
            if (_cut.Contains((message.From, message.To))) return;
            nodeOf(message.To)?.Deliver(message);
        });
    }
}
