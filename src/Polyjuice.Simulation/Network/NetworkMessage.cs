using Polyjuice.Contracts;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Network;

/// <summary>What a message is for.</summary>
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
/// <param name="from">Who sent it.</param>
/// <param name="to">Whom it is for; only that incarnation gets it.</param>
/// <param name="kind">What it is for.</param>
/// <param name="bytes">See <see cref="Bytes"/>.</param>
/// <param name="content">See <see cref="Content"/>.</param>
internal sealed class NetworkMessage(NodeId from, NodeId to, TrafficKind kind, byte[] bytes, object? content)
{
    /// <summary>Who sent it.</summary>
    public NodeId From { get; } = from;

    /// <summary>Whom it is for.</summary>
    public NodeId To { get; } = to;

    /// <summary>What it is for.</summary>
    public TrafficKind Kind { get; } = kind;

    /// <summary>The engine's bytes: a batch, a token or a report. They are what the digest sees.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>A bit per kind of engine message in it, as the sender says; for statistics of what was lost.</summary>
    public ulong Kinds { get; init; }

    /// <summary>When it was sent, as a number of its network.</summary>
    internal long Number { get; set; }

    /// <summary>The host's part of a call or an answer; the network does not look into it.</summary>
    public object? Content { get; } = content;
}

/// <summary>Where messages arrive.</summary>
internal interface INetworkEndpoint
{
    /// <summary>A message arrives. A process that has crashed ignores it.</summary>
    void Deliver(NetworkMessage message);
}

/// <summary>What becomes of a message.</summary>
internal enum MessageFate : byte
{
    /// <summary>As the profile says.</summary>
    Usual,

    /// <summary>Delivered, neither lost nor duplicated.</summary>
    Deliver,

    /// <summary>Lost.</summary>
    Drop,

    /// <summary>Delivered twice.</summary>
    Duplicate,

    /// <summary>Kept until it is released.</summary>
    Hold,
}
