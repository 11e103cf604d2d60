using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Search;

/// <summary>Random changes of tables, for what wants many that differ.</summary>
internal static class TableVariations
{
    /// <summary>How many of <see cref="Moves"/> are made at each.</summary>
    private const int MovesMax = 4;

    /// <summary>So many tables, each made of one of the given, in turn.</summary>
    /// <param name="workload">Whose sites have rows.</param>
    /// <param name="tables">What is changed; at least one.</param>
    /// <param name="count">How many.</param>
    /// <param name="seed">The same seed gives the same tables.</param>
    public static IReadOnlyList<PolicyDocument> Of(
        ReplayWorkload workload, IReadOnlyList<PolicyDocument> tables, int count, ulong seed)
    {
        ArgumentNullException.ThrowIfNull(workload);
        ArgumentNullException.ThrowIfNull(tables);
        var space = new TableSpace(workload, tables[0], tables);
        var candidates = tables.Select(space.Encode).ToArray();
        var random = new SimulationRandom(SimulationRandom.Mix(seed ^ 0x7AB1E5));
        var moves = new Moves(space, random);
        var made = new List<PolicyDocument>();
        for (var i = 0; i < count; i++)
        {
            var candidate = candidates[i % candidates.Length];
            for (var n = 1 + random.Next(MovesMax); n > 0; n--)
                candidate = moves.Make(candidate, random.Pick(candidates));
            made.Add(space.Decode(candidate, $"{tables[i % tables.Count].Name}-varied-{i + 1}"));
        }

        return made;
    }
}
