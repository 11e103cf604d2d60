using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Benchmarking.Simulated;

/// <summary>What a simulated run came to.</summary>
/// <param name="Digest">Of its whole stream of events: two runs of one case must agree on it.</param>
/// <param name="Events">Events that happened.</param>
/// <param name="Virtual">Virtual time from start to end.</param>
/// <param name="Loaded">Virtual time that clients ran for.</param>
/// <param name="Outcomes">Operations by outcome, indexed by <see cref="OperationOutcome"/>.</param>
/// <param name="Invariant">What the workload's invariant says at the end, after all silos had died.</param>
/// <param name="Faults">What went wrong.</param>
/// <param name="Reordered">Messages that a later one overtook.</param>
/// <param name="Statistics">What the nodes did.</param>
public sealed record SimulatedResult(
    ulong Digest, long Events, TimeSpan Virtual, TimeSpan Loaded, IReadOnlyList<int> Outcomes, InvariantCheck Invariant, FaultLedger Faults, long Reordered,
    EmbeddedClusterStatistics Statistics)
{
    /// <summary>Operations with that outcome.</summary>
    public int this[OperationOutcome outcome] => Outcomes[(int)outcome];
}
