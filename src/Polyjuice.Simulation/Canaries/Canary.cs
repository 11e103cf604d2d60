using Polyjuice.Contracts;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Canaries;

/// <summary>A rule that can be removed from the engine, and the family of runs in which that shows soonest.</summary>
/// <param name="Name">Of the switch.</param>
/// <param name="Rule">The rule, as the protocol's description calls it; "engine" for what only the engine has.</param>
/// <param name="Summary">What the engine does without it.</param>
/// <param name="Shape">Which runs show it soonest.</param>
internal sealed record Canary(string Name, string Rule, string Summary, string Shape)
{
    /// <summary>What the runs are kept on: what only rows have shows there alone.</summary>
    internal StorageKind Storage { get; init; }

    internal ProtocolBreaks Switch { get; } = Enum.Parse<ProtocolBreaks>(Name);

    /// <summary>The case that shows it, if its seed does.</summary>
    public RunCase Case => new() { Seed = 1, Shape = Shape, Breaks = Switch, Storage = Storage };
}
