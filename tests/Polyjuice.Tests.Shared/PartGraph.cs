using System.Reflection;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// What the parts of something take in their constructors: it is built of machines of their own if none needs itself.
/// </summary>
/// <param name="isPart">Which types are parts.</param>
public sealed class PartGraph(Func<Type, bool> isPart)
{
    /// <summary>The parts that some types hold, and what these take.</summary>
    public HashSet<Type> HeldBy(params IEnumerable<Type> builders)
    {
        var held = builders.SelectMany(FieldsOf).Where(isPart).ToHashSet();
        held.UnionWith(Reached(held));
        return held;
    }

    /// <summary>The parts that some take, and that these take.</summary>
    public HashSet<Type> Reached(IEnumerable<Type> from)
    {
        var reached = new HashSet<Type>();
        var next = new Queue<Type>(from);
        while (next.TryDequeue(out var type))
        {
            foreach (var taken in Taken(type))
            {
                if (isPart(taken) && reached.Add(taken)) next.Enqueue(taken);
            }
        }

        return reached;
    }

    /// <summary>What a type's constructors take.</summary>
    public static IEnumerable<Type> Taken(Type type) => type
        .GetConstructors(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .SelectMany(static constructor => constructor.GetParameters())
        .Select(static parameter => parameter.ParameterType);

    /// <summary>What a type holds.</summary>
    public static IEnumerable<Type> FieldsOf(Type type) => type
        .GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .Select(static field => field.FieldType);

    /// <summary>Names of types, in order.</summary>
    public static IEnumerable<string> Names(IEnumerable<Type> types) =>
        types.Select(static type => type.Name).Order(StringComparer.Ordinal);
}
