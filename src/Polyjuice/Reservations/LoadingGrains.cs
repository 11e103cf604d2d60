using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>
/// At the agent's node: grains that are activated before an attempt
/// reserves anything, and who has not said yet that it is done. Turn only.
/// </summary>
/// <param name="grains">Their states, as many as the transaction is known to access.</param>
/// <param name="nodes">Who is asked.</param>
internal sealed class LoadingGrains(ReservationPlan grains, List<NodeId> nodes)
{
    public readonly ReservationPlan Grains = grains;

    /// <summary>Who has not answered yet.</summary>
    public readonly List<NodeId> Missing = nodes;

    /// <summary>Whether anything had to be activated.</summary>
    public bool HasLoaded { get; private set; }

    /// <summary>One has answered.</summary>
    /// <param name="node">Who.</param>
    /// <param name="count">How many states were not active there.</param>
    public void Answered(NodeId node, int count)
    {
        if (Missing.Remove(node)) HasLoaded |= count > 0;
    }
}
