using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// Q2: what an update has reserved is handed on when all of its planned
/// accesses are over, and its attempt holds all that it reserves.
/// </summary>
internal static class Q2HandOn
{
    private const string Rule = "Q2";

    /// <summary>The last of the planned accesses is over.</summary>
    public static void Check(
        SpecificationState state, OwnerModel owner, ReservationModel? request, in ReservationHandedOn e)
    {
        if (request is not { IsHeld: true, IsHandedOn: false, IsExclusive: true, Accesses: > 0 })
            throw Rejected.By(Rule, e.ToString(), $"that can't be handed on: {request}");
        var served = owner.Find(e.Id)?.Served.GetValueOrDefault(e.Key) ?? 0;
        if (served < request.Accesses)
            throw Rejected.By(Rule, e.ToString(), $"{request.Accesses} accesses are planned, and {served} were served");
        if (state.Transaction(e.Id).Reserving is { } reserving && !(reserving.HasBegun && !reserving.IsCutShort))
            throw Rejected.By(Rule, e.ToString(), "its attempt does not hold all that it reserves");
    }
}
