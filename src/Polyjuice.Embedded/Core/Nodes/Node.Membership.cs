using Polyjuice.Embedded.Invocation;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

internal abstract partial class Node
{
    private List<IParked> _parked = [];

    /// <summary>A node has died: what it would have answered fails, and the engine settles what depended on it.</summary>
    public void NodeDied(NodeId node)
    {
        foreach (var lost in Pending.Where(call => call.Destination == node)) Fail(lost, Unavailable(node));
        Engine.NodeDead(node);
    }

    /// <summary>Partitions have found owners: what waited for them goes on its way.</summary>
    public void PartitionsChanged()
    {
        var parked = _parked;
        _parked = [];
        foreach (var call in parked)
        {
            if (Directory[call.Partition].IsServing) call.GoOn(this);
            else if (!call.IsOver) _parked.Add(call);
        }
    }

    /// <summary>Whether anything waits here for a partition to be served.</summary>
    protected bool HasParked => _parked.Count > 0;

    /// <summary>Sends a call that was begun before on its way.</summary>
    protected void GoOn(CallContext? context, GrainReference target, Invokable call, PendingCall? pending)
    {
        try
        {
            Route(context, target, call, pending);
        }
        catch (Exception exception)
        {
            if (pending is not null) Fail(pending, exception);
            else HostLog.OneWayFailed(Logger, exception, target.Id);
        }
    }

    /// <summary>Keeps something until its partition is served.</summary>
    protected void Park(IParked parked)
    {
        _parked.Add(parked);
        // The owner may have turned up after the directory was read.
        if (Directory[parked.Partition].IsServing) Loop.Post(static state => ((Node)state!).PartitionsChanged(), this);
    }

    /// <summary>Sends a request's bytes as they are, apart from how often that was done.</summary>
    protected static void Relay(MessageBuffer buffer, ReadOnlySpan<byte> bytes, byte hops)
    {
        var mark = buffer.BeginMessage();
        var target = buffer.GetSpan(bytes.Length);
        bytes.CopyTo(target);
        target[RequestOrigin.HopsOffset] = hops;
        buffer.Advance(bytes.Length);
        buffer.EndMessage(mark);
    }

    /// <summary>What waits for a partition to be served.</summary>
    protected interface IParked
    {
        int Partition { get; }

        /// <summary>Whether nobody waits for it any more.</summary>
        bool IsOver { get; }

        /// <summary>The partition is served.</summary>
        void GoOn(Node node);
    }

    // A call that was made here.
    private sealed class ParkedCall(CallContext? context, GrainReference target, Invokable call, PendingCall? pending) : IParked
    {
        public int Partition => target.Partition;

        public bool IsOver => pending?.IsCompleted ?? false;

        public void GoOn(Node node)
        {
            if (!IsOver) node.GoOn(context, target, call, pending);
        }
    }

    /// <summary>A request that came here although another node will serve it, or this one later.</summary>
    protected sealed class ParkedRequest(int partition, byte[] bytes) : IParked
    {
        /// <inheritdoc/>
        public int Partition => partition;

        /// <inheritdoc/>
        public bool IsOver => false;

        /// <inheritdoc/>
        public void GoOn(Node node) => node.ReceiveRequest(bytes);
    }
}
