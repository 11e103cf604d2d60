using Polyjuice.Orleans.Silos;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>
/// The parts of a silo and of its engines stay machines of their own: each takes those that it needs, and none needs it
/// back.
/// </summary>
public sealed class SiloEngineTests
{
    // What a host looks up by itself may hide a way back: the one looks for what was configured by a name, the other
    // for what Orleans makes later.
    private static readonly Type[] s_lookUp = [typeof(SiloLogs), typeof(SiloServices)];

    private static readonly PartGraph s_graph = new(IsPart);

    /// <summary>What a silo and its engines hold, and what these take.</summary>
    private static readonly HashSet<Type> s_parts = s_graph.HeldBy(typeof(PolyjuiceSilo), typeof(SiloEngine));

    [Fact]
    public void No_part_knows_who_builds_it()
    {
        Assert.All(s_parts, static part => Assert.DoesNotContain(typeof(PolyjuiceSilo), PartGraph.Taken(part)));
        Assert.All(s_parts, static part => Assert.DoesNotContain(typeof(PolyjuiceSilo), PartGraph.FieldsOf(part)));
    }

    [Fact]
    public void No_part_of_an_engine_knows_the_engine()
    {
        var parts = s_graph.HeldBy(typeof(SiloEngine));
        Assert.DoesNotContain(typeof(SiloEngine), parts);
        Assert.All(parts, static part => Assert.DoesNotContain(typeof(SiloEngine), PartGraph.FieldsOf(part)));
    }

    [Fact]
    public void No_part_can_reach_itself()
    {
        Assert.Contains(typeof(SiloEngineHost), s_parts);
        Assert.Contains(typeof(SiloIdentity), s_parts);
        Assert.All(s_parts, static part => Assert.DoesNotContain(part, s_graph.Reached([part])));
    }

    [Fact]
    public void Only_those_that_look_for_what_is_made_elsewhere_take_all_services()
    {
        var look = s_parts.Where(static part => PartGraph.Taken(part).Contains(typeof(IServiceProvider)));

        Assert.Equal(PartGraph.Names(s_lookUp), PartGraph.Names(look));
    }

    private static bool IsPart(Type type) =>
        type.Assembly == typeof(SiloEngine).Assembly && type is { IsClass: true, IsSealed: true, IsNotPublic: true }
        && type != typeof(PolyjuiceSilo);
}
