using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Simulation.Faults;

/// <summary>A silo that others take for dead, and that lives on. Times in microseconds.</summary>
/// <param name="Node">Which.</param>
/// <param name="StandsStill">
/// Whether it does nothing while it is away; otherwise nobody hears it, and it hears nobody.
/// </param>
/// <param name="HearsStorage">Whether it hears, while it is away, what its storage answers.</param>
/// <param name="DeclaredAfter">When the others are told that it is dead.</param>
/// <param name="BackAfter">How long it is away.</param>
/// <param name="ToldAfter">When, after that, its membership tells it, which ends its process.</param>
internal sealed record MistakenDeath(
    SimulatedNode Node, bool StandsStill, bool HearsStorage, long DeclaredAfter, long BackAfter, long ToldAfter);
