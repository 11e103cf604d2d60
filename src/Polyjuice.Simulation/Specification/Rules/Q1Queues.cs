using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// Q1: an attempt has one place in a queue. It holds it when nobody holds what conflicts, or only those do that have
/// handed on; and past nobody who waits ahead of it, is older, and began to reserve before it.
/// </summary>
internal static class Q1Queues
{
    private const string Rule = "Q1";

    /// <summary>Who is in the queue with all that it asks for does not come once more.</summary>
    public static void Check(QueueModel queue, in ReservationQueued e)
    {
        foreach (var request in queue.Requests)
        {
            if (request.Id == e.Id && (request.IsExclusive || !e.IsExclusive))
                throw Rejected.By(Rule, e.ToString(), $"it is in the queue already: {queue}");
        }
    }

    /// <summary>It is held once, and is that one's turn.</summary>
    public static void Check(NodeModel node, QueueModel queue, ReservationModel? request, in ReservationHeld e)
    {
        if (request is null) throw Rejected.By(Rule, e.ToString(), $"it is not in the queue: {queue}");
        if (request.IsHeld) throw Rejected.By(Rule, e.ToString(), $"it is held already: {queue}");
        foreach (var other in queue.Requests)
        {
            if (other.Id == request.Id || !other.ConflictsWith(request) || node.Over.Contains(other.Id)) continue;
            if (other.IsHeld && !(other.IsHandedOn && request.ReadsLatest))
                throw Rejected.By(Rule, e.ToString(), $"{other} is in its way: {queue}");
            if (!other.IsHeld && other.IsAheadOf(request) && !other.MayLetPass(request))
                throw Rejected.By(Rule, e.ToString(), $"it is the turn of {other}: {queue}");
        }
    }
}
