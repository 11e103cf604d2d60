using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>At which other nodes an attempt may wait, as far as this one knows. On the engine's turn.</summary>
internal static class WaitPlaces
{
    /// <summary>
    /// Where its calls have gone, and from its agent also who is to order
    /// it, and whose reservations it waits for. May name a node twice.
    /// </summary>
    /// <param name="node">This one.</param>
    /// <param name="events">Knows of reservations.</param>
    /// <param name="at">The attempt.</param>
    /// <param name="fromAgent">Its agent asks, and need not be asked.</param>
    public static IEnumerable<(NodeId Node, bool IsAgent)> Of(
        NodeId node, IWaitEvents events, LocalTransaction at, bool fromAgent)
    {
        var asked = NodeId.None;
        foreach (var call in at.RemoteCalls ?? [])
        {
            if (call.Destination == asked || call.Destination == NodeId.None) continue;
            asked = call.Destination;
            yield return (asked, false);
        }

        if (at.AgentSide is { } agent)
        {
            foreach (var part in agent.PartsNotOrdered())
            {
                if (part.Node != node) yield return (part.Node, false);
            }

            foreach (var other in events.NodesOfChain(at)) yield return (other, false);
        }
        else if (!fromAgent && at.Id.Node != node)
        {
            yield return (at.Id.Node, true);
        }
    }
}
