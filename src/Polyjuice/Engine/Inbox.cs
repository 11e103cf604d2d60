using System.Runtime.InteropServices;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Engine;

/// <summary>Takes batches of messages of other nodes, each as a whole.</summary>
internal sealed class Inbox(
    EngineContext context, DeadNodes dead, KnownAgents agents, Mail mail, Timers timers, TurnEnd turn)
{
    // Of one batch, until all of it has been understood.
    private readonly List<Message> _arrived = [];

    /// <summary>
    /// Takes a batch that another node's host was asked to <see cref="IEngineHost.Send"/> to this one.
    /// </summary>
    /// <param name="from">Who sent it.</param>
    /// <param name="batch">The bytes as sent.</param>
    /// <exception cref="CodingException">
    /// The bytes are not a batch of this version; nothing of them was applied.
    /// </exception>
    public void Receive(NodeId from, ReadOnlySpan<byte> batch)
    {
        if (context.IsStopped || dead.Contains(from)) return;
        var reader = new ByteReader(batch, context.Names);
        var (sender, clock, oldestLive, count) = Outbox.ReadHeader(ref reader);
        if (sender != from) throw new CodingException($"A batch from {from} says that it is from {sender}.");
        var last = context.Clock.Last;
        if (!context.Clock.TryAccept(clock))
        {
            context.Log.SkewRefused(from.Value, (clock >> HybridClock.LogicalBits) - context.Now);
            return;
        }

        _arrived.Clear();
        for (var i = 0; i < count; i++) _arrived.Add(Message.Read(ref reader, from));
        agents.Heard(from, oldestLive);
        context.Events?.Heard(from, clock, last, oldestLive);
        foreach (ref readonly var message in CollectionsMarshal.AsSpan(_arrived)) mail.Deliver(message);
        _arrived.Clear();
        timers.EnsureTicking();
        turn.DrainNow();
    }
}
