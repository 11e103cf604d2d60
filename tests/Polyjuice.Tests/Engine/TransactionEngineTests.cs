using System.Reflection;
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

    [Fact]
    public void Only_parts_that_make_something_of_an_engine_know_it()
    {
        var know = Parts().Where(static part => Taken(part).Intersect(s_engines).Any());

        Assert.Equal(Names([.. s_makers, .. s_builders]), Names(know));
    }

    [Fact]
    public void No_part_can_reach_itself()
    {
        var parts = Parts();

        Assert.Contains(typeof(CommitRounds), parts);
        Assert.Contains(typeof(Mail), parts);
        Assert.All(parts, static part => Assert.DoesNotContain(part, Reached([part])));
    }

    private static IEnumerable<string> Names(IEnumerable<Type> types) =>
        types.Select(static type => type.Name).Order(StringComparer.Ordinal);

    /// <summary>What an engine and those who build it hold, and what these take.</summary>
    private static HashSet<Type> Parts()
    {
        var held = s_builders.Concat(s_engines).SelectMany(Held).ToHashSet();
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

    private static IEnumerable<Type> Held(Type type) => type
        .GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .Select(static field => field.FieldType)
        .Where(IsPart);

    private static IEnumerable<Type> Taken(Type type) => type
        .GetConstructors(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .SelectMany(static constructor => constructor.GetParameters())
        .Select(static parameter => parameter.ParameterType);

    private static bool IsPart(Type type) =>
        type.Assembly == typeof(TransactionEngine).Assembly && type is { IsClass: true, IsSealed: true }
        && !s_engines.Contains(type);
}
