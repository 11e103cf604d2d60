using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// Q4: an agent asks again for what it reserves until it is told that
/// all of it is held, or goes on without; and the body begins then.
/// </summary>
internal static class Q4Chain
{
    private const string Rule = "Q4";

    /// <summary>
    /// No tick passes without asking again, when the last time is long ago: its messages may be lost.
    /// </summary>
    public static void Check(ReservingModel reserving, in ReservationsAwaited e)
    {
        if (e.Now - reserving.AskedAt >= e.AskedAgainAfter)
            throw Rejected.By(Rule, e.ToString(), $"it has asked last at {reserving.AskedAt}, and does not ask again");
    }

    /// <summary>What is said to be held does not wait.</summary>
    public static void Check(NodeModel node, in ReservationsHeld e)
    {
        foreach (var owner in node.Owners.Values)
        {
            foreach (var queue in owner.Queues.Values)
            {
                foreach (var request in queue.Requests)
                {
                    if (request.Id == e.Id && request is { IsPlanned: true, IsHeld: false } && request.At >= e.From
                        && request.At < e.To)
                        throw Rejected.By(Rule, e.ToString(), $"entry {request.At} waits: {queue}");
                }
            }
        }
    }

    /// <summary>All is held, as far as its agent has heard, or it goes on without.</summary>
    public static void Check(ReservingModel reserving, in ReservedBodyBegun e)
    {
        if (reserving.HasBegun) throw Rejected.By(Rule, e.ToString(), "it has begun before");
        if (!e.IsCutShort && reserving.Missing is >= 0 and var at)
            throw Rejected.By(Rule, e.ToString(), $"nobody has said that entry {at} is held");
    }
}
