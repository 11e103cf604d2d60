using System.Reflection;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>
/// A silo's parts stay machines of their own: each takes those that it needs, and none needs it back.
/// </summary>
public sealed class SiloEngineTests
{
    // What a host looks up by itself may hide a way back: the one looks for what was configured by a name, the other
    // for what Orleans makes later.
    private static readonly Type[] s_lookUp = [typeof(SiloLogs), typeof(SiloServices)];

    [Fact]
    public void No_part_knows_who_builds_it()
    {
        Assert.All(Parts(), static part => Assert.DoesNotContain(typeof(SiloEngine), Taken(part)));
        Assert.All(Parts(), static part => Assert.DoesNotContain(typeof(SiloEngine), FieldsOf(part)));
    }

    [Fact]
    public void No_part_can_reach_itself()
    {
        var parts = Parts();

        Assert.Contains(typeof(SiloEngineHost), parts);
        Assert.Contains(typeof(SiloIdentity), parts);
        Assert.All(parts, static part => Assert.DoesNotContain(part, Reached([part])));
    }

    [Fact]
    public void Only_those_that_look_for_what_is_made_elsewhere_take_all_services()
    {
        var look = Parts().Where(static part => Taken(part).Contains(typeof(IServiceProvider)));

        Assert.Equal(Names(s_lookUp), Names(look));
    }

    private static IEnumerable<string> Names(IEnumerable<Type> types) =>
        types.Select(static type => type.Name).Order(StringComparer.Ordinal);

    /// <summary>What the silo's engine holds, and what these take.</summary>
    private static HashSet<Type> Parts()
    {
        var held = FieldsOf(typeof(SiloEngine)).Where(IsPart).ToHashSet();
        held.UnionWith(Reached(held));
        return held;
    }

    /// <summary>What one takes, and what these take.</summary>
    private static HashSet<Type> Reached(IEnumerable<Type> from)
    {
        var reached = new HashSet<Type>();
        var next = new Queue<Type>(from);
        while (next.TryDequeue(out var type))
        {
            foreach (var taken in Taken(type))
            {
                if (IsPart(taken) && reached.Add(taken)) next.Enqueue(taken);
            }
        }

        return reached;
    }

    private static IEnumerable<Type> FieldsOf(Type type) => type
        .GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .Select(static field => field.FieldType);

    private static IEnumerable<Type> Taken(Type type) => type
        .GetConstructors(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .SelectMany(static constructor => constructor.GetParameters())
        .Select(static parameter => parameter.ParameterType);

    private static bool IsPart(Type type) =>
        type.Assembly == typeof(SiloEngine).Assembly && type is { IsClass: true, IsSealed: true, IsNotPublic: true }
        && type != typeof(SiloEngine);
}
