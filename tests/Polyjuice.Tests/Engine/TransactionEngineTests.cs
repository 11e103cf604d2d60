using Polyjuice.Agents;
using Polyjuice.Engine;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Engine;

/// <summary>
/// The engine's parts stay machines of their own: each takes those that it needs, and none needs it back.
/// </summary>
public sealed class TransactionEngineTests
{
    // Those that make something that belongs to an engine: frames, and owners.
    private static readonly Type[] s_makers =
        [typeof(AttemptStarts), typeof(CallTokens), typeof(LogOwners), typeof(RowOwners)];

    private static readonly Type[] s_engines = [typeof(TransactionEngine), typeof(EngineParts), typeof(OwnerParts)];

    // They put parts together.
    private static readonly Type[] s_builders =
        [typeof(AttemptParts), typeof(CallParts), typeof(CommitParts), typeof(ReservationParts)];

    private static readonly PartGraph s_graph = new(IsPart);

    /// <summary>What an engine and those who build it hold, and what these take.</summary>
    private static readonly HashSet<Type> s_parts = s_graph.HeldBy([.. s_builders, .. s_engines]);

    [Fact]
    public void Only_parts_that_make_something_of_an_engine_know_it()
    {
        var know = s_parts.Where(static part => PartGraph.Taken(part).Intersect(s_engines).Any());

        Assert.Equal(PartGraph.Names([.. s_makers, .. s_builders]), PartGraph.Names(know));
    }

    [Fact]
    public void No_part_can_reach_itself()
    {
        Assert.Contains(typeof(CommitRounds), s_parts);
        Assert.Contains(typeof(Mail), s_parts);
        Assert.All(s_parts, static part => Assert.DoesNotContain(part, s_graph.Reached([part])));
    }

    private static bool IsPart(Type type) =>
        type.Assembly == typeof(TransactionEngine).Assembly && type is { IsClass: true, IsSealed: true }
        && !s_engines.Contains(type);
}
