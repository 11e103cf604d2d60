using Polyjuice.Embedded.Core;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Hosting;
using Polyjuice.Simulation.Network;

namespace Polyjuice.Embedded.Simulated;

/// <summary>One message between two nodes, as the host wrote it.</summary>
internal sealed class Parcel(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;

    /// <summary>How often it has arrived.</summary>
    public int Deliveries { get; set; }

    /// <summary>Whether it must not arrive twice: a call outside of transactions would run twice then, and no connection does that.</summary>
    public bool IsOnce => Kind == MessageKind.Request && !((RequestFlags)Bytes[1]).HasFlag(RequestFlags.HasToken);

    private MessageKind Kind => (MessageKind)Bytes[0];

    /// <summary>What the network carries.</summary>
    public NetworkMessage Address(NodeId from, NodeId to)
    {
        var kind = Kind switch
        {
            MessageKind.Engine => TrafficKind.Engine,
            MessageKind.Response => TrafficKind.Answer,
            _ => TrafficKind.Call,
        };
        return new(from, to, kind, Facts(), this);
    }

    // What the digest sees. Stack traces are left out: how the runtime compiles a method, which changes as it runs, changes them.
    private byte[] Facts()
    {
        if (Kind != MessageKind.Response || !((ResponseFlags)Bytes[1]).HasFlag(ResponseFlags.IsException)) return Bytes;
        var reader = new WireReader(Bytes.AsSpan(2), null);
        reader.ReadVarUInt();
        return Bytes[..^reader.Rest.Length];
    }
}
