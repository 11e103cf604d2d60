using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Specification;

/// <summary>Makes what a run fails with when the specification does not allow one of its events.</summary>
internal static class Rejected
{
    /// <summary>What <see cref="SimulationFailedException.Kind"/> begins with; the rule follows.</summary>
    public const string Kind = "specification";

    /// <summary>A rejection.</summary>
    /// <param name="rule">The rule that forbids it, as docs/internals/rules.md names it.</param>
    /// <param name="happened">The event, for people.</param>
    /// <param name="why">Which state contradicts it.</param>
    public static SimulationFailedException By(string rule, string? happened, string why) =>
        new($"{Kind} {rule}", $"{happened}. {rule}: {why}");
}
