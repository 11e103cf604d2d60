using System.Diagnostics.CodeAnalysis;
using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// What this node says: to others in batches, and to itself in a queue that is empty at the end of the turn.
/// </summary>
internal sealed class Mail(EngineContext context, DeadNodes dead)
{
    private readonly Outbox _outbox = new(context.Node, context.Host, context.Statistics, context.Names);
    private readonly Queue<Message> _local = new();
    private bool _isFlushRequested;

    /// <summary>Whether nothing waits that this node has said to itself.</summary>
    public bool IsLocalEmpty => _local.Count == 0;

    public void Send(NodeId destination, in Message message)
    {
        if (destination == context.Node)
        {
            SendLocal(message with { From = context.Node });
            return;
        }

        if (destination == NodeId.None || destination.IsForeign || dead.Contains(destination)) return;
        _outbox.Add(destination, message);
        RequestFlush();
    }

    public void SendLocal(in Message message)
    {
        _local.Enqueue(message);
        RequestFlush();
    }

    /// <summary>To several nodes; to none, if there is no list.</summary>
    public void SendToAll(List<NodeId>? destinations, in Message message)
    {
        if (destinations is null) return;
        foreach (var node in destinations) Send(node, message);
    }

    /// <summary>A message of another node has come.</summary>
    public void Deliver(in Message message) => _local.Enqueue(message);

    /// <summary>The next of what has come, or this node has said to itself.</summary>
    public bool TryTake([MaybeNullWhen(false)] out Message message) => _local.TryDequeue(out message);

    public void RequestFlush()
    {
        if (_isFlushRequested) return;
        _isFlushRequested = true;
        context.Host.RequestFlush();
    }

    /// <summary>Sends what waits to other nodes.</summary>
    /// <param name="oldestLive">This node's oldest live attempt, which every batch says (R1c).</param>
    public void Flush(long oldestLive)
    {
        FlushEnded();
        if (!_outbox.IsEmpty) _outbox.Flush(context.Clock.Tick(), oldestLive);
    }

    /// <summary>What is said from now on asks for another flush.</summary>
    public void FlushEnded() => _isFlushRequested = false;

    /// <summary>A node is dead: what waits for it goes nowhere.</summary>
    public void Forget(NodeId node) => _outbox.Forget(node);
}
