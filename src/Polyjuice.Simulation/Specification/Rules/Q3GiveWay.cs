using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// Q3: who holds a reservation gives way to one that waits and comes before
/// it, while its body has not begun; its agent does not count on what it gave.
/// </summary>
internal static class Q3GiveWay
{
    private const string Rule = "Q3";

    /// <summary>
    /// The other one waits, and comes before it; and the body has not begun. Nobody counts on what a deposed owner
    /// gave: its successor has a queue of its own. Who counts on what a deposed owner said does not count on its
    /// successor.
    /// </summary>
    public static void Check(
        SpecificationState state, OwnerModel owner, QueueModel queue, ReservationModel? holder, in ReservationGaveWay e)
    {
        if (holder is not { IsHeld: true, IsHandedOn: false, IsPlanned: true })
            throw Rejected.By(Rule, e.ToString(), $"it has nothing to give: {holder}");
        if (owner.Log.Owner == owner && state.Transaction(e.Id).Reserving is { HasBegun: true, IsCutShort: false }
            && !state.IsHeldAtRival(owner, e.Id))
            throw Rejected.By(Rule, e.ToString(), $"its body has begun: {queue}");
        foreach (var other in queue.Requests)
        {
            if (other.Id == e.Older && !other.IsHeld && holder.MayLetPass(other)) return;
        }

        throw Rejected.By(Rule, e.ToString(), $"nobody waits that comes before it: {queue}");
    }
}
