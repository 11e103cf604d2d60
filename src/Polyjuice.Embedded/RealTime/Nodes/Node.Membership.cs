using Polyjuice.Hosting;

namespace Polyjuice.Embedded.RealTime;

internal abstract partial class Node
{
    private List<ParkedMessage> _parked = [];

    /// <summary>A node has died: what it would have answered fails, and the engine settles what depended on it.</summary>
    public void NodeDied(NodeId node)
    {
        foreach (var lost in Pending.Where(call => call.Destination == node)) Fail(lost, Unavailable(node));
        Engine?.NodeDead(node);
    }

    /// <summary>Partitions have found owners: what waited for them goes on its way.</summary>
    public void PartitionsChanged()
    {
        var parked = _parked;
        _parked = [];
        foreach (var message in parked)
        {
            if (message.Pending is { IsCompleted: true }) continue;
            if (Runtime.Directory[message.Partition] is { IsServing: true, Owner: { } owner }) Forward(message, owner);
            else _parked.Add(message);
        }
    }

    /// <summary>Keeps a request until its partition has an owner.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="bytes">The request.</param>
    /// <param name="pending">Who waits, if it is somebody on this node.</param>
    protected void Park(int partition, byte[] bytes, PendingCall? pending)
    {
        _parked.Add(new(partition, bytes, pending));
        // The owner may have turned up after the directory was read.
        if (Runtime.Directory[partition].IsServing) Loop.Post(static state => ((Node)state!).PartitionsChanged(), this);
    }

    private void Forward(ParkedMessage message, Node owner)
    {
        if (message.Pending is not null) message.Pending.Destination = owner.Id;
        if (ReferenceEquals(owner, this)) Receive(Id, message.Bytes);
        else Relay(BufferTo(owner), message.Bytes);
    }

    /// <summary>Sends a message's bytes as they are.</summary>
    protected static void Relay(MessageBuffer buffer, ReadOnlySpan<byte> bytes)
    {
        var mark = buffer.BeginMessage();
        bytes.CopyTo(buffer.GetSpan(bytes.Length));
        buffer.Advance(bytes.Length);
        buffer.EndMessage(mark);
    }

    private readonly record struct ParkedMessage(int Partition, byte[] Bytes, PendingCall? Pending);
}
