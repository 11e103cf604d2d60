using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Training.Races;

/// <summary>How tables race. Validated when a race begins.</summary>
internal sealed record RaceOptions
{
    /// <summary>
    /// Rounds at the most; in each, every table that is still in the race is measured once. Default 10; 1 to
    /// 1,000.
    /// </summary>
    [Range(1, 1_000)]
    public int RoundsMax { get; init; } = 10;

    /// <summary>Rounds before any table is out for making less by chance or not. Default 3; 1 to 1,000.</summary>
    [Range(1, 1_000)]
    public int RoundsMin { get; init; } = 3;

    /// <summary>
    /// How sure it has to be that a table makes less than the leader before it is out. Default 0.95; 0.5 to 0.9999.
    /// </summary>
    [Range(0.5, 0.9999)]
    public double Confidence { get; init; } = 0.95;

    /// <summary>
    /// A table that makes less than this share of the leader in each round is out after the second one. Default 0.75;
    /// 0 to 1.
    /// </summary>
    [Range(0, 1.0)]
    public double Hopeless { get; init; } = 0.75;

    /// <summary>All tables stay in for all rounds: to compare, not to choose.</summary>
    /// <param name="rounds">How many.</param>
    public static RaceOptions Compare(int rounds) => new() { RoundsMax = rounds, RoundsMin = rounds, Hopeless = 0 };
}
