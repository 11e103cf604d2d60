using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>Q5: what is over at a node has left all queues there.</summary>
internal static class Q5Release
{
    private const string Rule = "Q5";

    /// <summary>It has, by the end of the turn.</summary>
    public static void Check(NodeModel node, TransactionId id, in TurnEnded e)
    {
        foreach (var owner in node.Owners.Values)
        {
            foreach (var (key, queue) in owner.Queues)
            {
                if (queue.Requests.Exists(request => request.Id == id))
                    throw Rejected.By(
                        Rule, e.ToString(), $"{id} is over here, and in the queue of {key.Grain}: {queue}");
            }
        }
    }
}
