using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

/// <summary>At which other nodes an attempt may wait, as far as this one knows. On the engine's turn.</summary>
internal static class WaitPlaces
{
    /// <summary>Where its calls have gone, and from its agent also who is to order it, and whose reservations it waits for. May name a node twice.</summary>
    /// <param name="engine">This node's.</param>
    /// <param name="at">The attempt.</param>
    /// <param name="fromAgent">Its agent asks, and need not be asked.</param>
    public static IEnumerable<(NodeId Node, bool IsAgent)> Of(TransactionEngine engine, LocalTransaction at, bool fromAgent)
    {
        var asked = NodeId.None;
        foreach (var call in at.RemoteCalls ?? [])
        {
            if (call.Destination == asked || call.Destination == NodeId.None) continue;
            asked = call.Destination;
            yield return (asked, false);
        }

        if (at.Agent is { } agent)
        {
            foreach (var part in agent.PartsNotOrdered())
            {
                if (part.Node != engine.Node) yield return (part.Node, false);
            }

            foreach (var node in engine.Reservations.Chains.NodesOfChain(agent)) yield return (node, false);
        }
        else if (!fromAgent && at.Id.Node != engine.Node)
        {
            yield return (at.Id.Node, true);
        }
    }
}
