using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An agent asks a participant to order a transaction (R2).</summary>
/// <param name="Message">The prepare; rows by the numbers of taps.</param>
internal readonly record struct PrepareSent(Message Message)
{
    /// <summary>For people.</summary>
    public override string ToString() => $"the agent says {Network.WireTap.Describe(Message)}";
}
