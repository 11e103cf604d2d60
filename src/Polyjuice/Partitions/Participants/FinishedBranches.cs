using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>
/// Branches of which nothing more will be asked, in the order in which they were finished, until their agent's oldest
/// live transaction is younger (R1c).
/// </summary>
internal sealed class FinishedBranches
{
    private readonly Dictionary<NodeId, Queue<Branch>> _queues = [];

    /// <summary>Those that had any. An agent may be taken away while they are gone through.</summary>
    public Dictionary<NodeId, Queue<Branch>>.KeyCollection Agents => _queues.Keys;

    public void Add(Branch branch)
    {
        if (!_queues.TryGetValue(branch.Agent, out var queue)) _queues.Add(branch.Agent, queue = new Queue<Branch>());
        queue.Enqueue(branch);
    }

    /// <summary>Takes the first of an agent's, if it is older than that.</summary>
    public Branch? TakeBefore(NodeId agent, long oldestLive)
    {
        if (!_queues.TryGetValue(agent, out var queue) || !queue.TryPeek(out var branch)
            || branch.Id.Sequence >= oldestLive)
        {
            return null;
        }
        return queue.Dequeue();
    }

    public bool HasAny(NodeId agent) => _queues.TryGetValue(agent, out var queue) && queue.Count > 0;

    /// <summary>Nothing comes from it any more.</summary>
    public void Remove(NodeId agent) => _queues.Remove(agent);
}
