using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Runs;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Network;

/// <summary>
/// Sees single engine messages where the network sees batches: reads them for the trace, and holds, drops or doubles
/// those that a test names. A batch is taken apart only while a test has rules, which is as if the engine had flushed
/// after each message.
/// </summary>
internal sealed class WireTap
{
    private readonly SimulatedNetwork _network;
    private readonly List<WireRule> _rules = [];

    public WireTap(SimulatedNetwork network)
    {
        _network = network;
        network.Split = Split;
        network.Hook = Judge;
    }

    public IReadOnlyList<WireRule> Rules => _rules;

    /// <summary>Holds the messages that match, until released.</summary>
    public WireRule Hold(Func<TappedMessage, bool> matches) => Add(matches, MessageFate.Hold);

    /// <summary>Loses the messages that match.</summary>
    public WireRule Drop(Func<TappedMessage, bool> matches) => Add(matches, MessageFate.Drop);

    /// <summary>Delivers the messages that match twice.</summary>
    public WireRule Duplicate(Func<TappedMessage, bool> matches) => Add(matches, MessageFate.Duplicate);

    /// <summary>Only looks.</summary>
    public WireRule Watch(Func<TappedMessage, bool> matches) => Add(matches, MessageFate.Usual);

    public static string Describe(byte[] batch)
    {
        var (_, _, oldest, messages) = Read(batch);
        return $"(oldest {oldest}) {string.Join("; ", messages.Select(m => Describe(m)))}";
    }

    /// <summary>A message, for people.</summary>
    public static string Describe(in Message m)
    {
        var text = $"{m.Kind} {m.Transaction} p{m.FromPartition}→p{m.Partition}";
        if (m.Round != 0) text += $" round {m.Round}";
        if (m.Timestamp != 0) text += $" @{(m.Timestamp >> 8) - SimulatedCluster.Epoch}.{m.Timestamp & 0xFF}";
        if (m.Flags != 0) text += $" [{m.Flags}]";
        if (m.Epoch != 0) text += $" epoch {m.Epoch}";
        if (m.ManagerEpoch != 0) text += $" manager p{m.Manager}e{m.ManagerEpoch}";
        if (m.Other.Sequence != 0) text += $" other {m.Other}";
        if (m.Plan is { } plan)
            text +=
                $" reserves from {m.Count} on: "
                + $"{string.Join(',', plan.Entries.Select(e => $"{e.Key.Grain}{(e.IsExclusive ? "!" : "")}"))}";
        if (m.Dependencies is { Length: > 0 } dependencies)
            text += " depends on "
                + string.Join(',', dependencies.Select(d => $"{d.Transaction}@p{d.Partition}e{d.Epoch}"));
        return text;
    }

    /// <summary>Rows as taps number them: all taps of a process alike, and no node.</summary>
    public static PartitionNames Names { get; } = new();

    public static (NodeId From, long Clock, long OldestLive, List<Message> Messages) Read(ReadOnlySpan<byte> batch)
    {
        var reader = new ByteReader(batch, Names);
        var (from, clock, oldest, count) = Outbox.ReadHeader(ref reader);
        var messages = new List<Message>();
        for (var i = 0; i < count; i++) messages.Add(Message.Read(ref reader, from));
        return (from, clock, oldest, messages);
    }

    private static byte[] Write(NodeId from, long clock, long oldestLive, in Message message)
    {
        var writer = new ByteWriter(Names);
        writer.Byte(Outbox.Version);
        writer.Int(from.Value);
        writer.Int(clock);
        writer.Int(oldestLive);
        writer.UInt(1);
        message.Write(writer);
        return writer.Written.ToArray();
    }

    private WireRule Add(Func<TappedMessage, bool> matches, MessageFate fate)
    {
        var rule = new WireRule(_network, matches, fate);
        _rules.Add(rule);
        return rule;
    }

    private IEnumerable<NetworkMessage> Split(NetworkMessage batch)
    {
        if (batch.Kind != TrafficKind.Engine || !_rules.Exists(r => r.IsOn)) return [batch];
        var (from, clock, oldest, messages) = Read(batch.Bytes);
        return messages.Select(
            m => new NetworkMessage(batch.From, batch.To, TrafficKind.Engine, Write(from, clock, oldest, m), m));
    }

    private MessageFate Judge(NetworkMessage message)
    {
        var tapped = new TappedMessage(message);
        foreach (var rule in _rules)
        {
            if (rule.Takes(tapped) && rule.Fate != MessageFate.Usual) return rule.Fate;
        }

        return MessageFate.Usual;
    }
}

/// <summary>One message as a rule sees it.</summary>
internal readonly struct TappedMessage(NetworkMessage network)
{
    public NetworkMessage Network => network;

    /// <summary>The engine's message; of no kind when this is a grain call or its answer.</summary>
    public Message Message => network.Content is Message message ? message : default;

    public MessageKind Kind => Message.Kind;

    public bool IsCall => network.Kind == TrafficKind.Call;

    public bool IsAnswer => network.Kind == TrafficKind.Answer;

    public NodeId From => network.From;

    public NodeId To => network.To;
}

/// <summary>What a test wants to happen to certain messages.</summary>
internal sealed class WireRule(SimulatedNetwork network, Func<TappedMessage, bool> matches, MessageFate fate)
{
    private readonly List<NetworkMessage> _taken = [];

    public MessageFate Fate => fate;

    public bool IsOn { get; private set; } = true;

    /// <summary>The messages that it has taken.</summary>
    public IReadOnlyList<NetworkMessage> Taken => _taken;

    public bool Takes(in TappedMessage message)
    {
        if (!IsOn || !matches(message)) return false;
        _taken.Add(message.Network);
        return true;
    }

    /// <summary>Later messages are no longer concerned; what is held stays held.</summary>
    public void Off() => IsOn = false;

    /// <summary>Lets everything go that was held, and takes nothing more.</summary>
    public void Release()
    {
        Off();
        foreach (var message in _taken)
        {
            if (network.Held.Contains(message)) network.Release(message);
        }
    }

    /// <summary>Lets one go again, a copy if it was delivered or released before.</summary>
    public void Replay(int index) => network.Resend(_taken[index]);
}
