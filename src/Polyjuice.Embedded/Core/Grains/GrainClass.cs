using System.Reflection;
using Orleans.Concurrency;

namespace Polyjuice.Embedded.Core;

/// <summary>What the runtime knows of one grain class. Immutable.</summary>
internal sealed class GrainClass
{
    private readonly Func<string, bool>? _mayInterleave;

    public GrainClass(Type type, string name, int index)
    {
        Type = type;
        Name = name;
        Index = index;
        IsReentrant = type.IsDefined(typeof(ReentrantAttribute), inherit: true);
        _mayInterleave = FindPredicate(type);
        Constructor = new GrainConstructor(type);
    }

    /// <summary>The class.</summary>
    public Type Type { get; }

    /// <summary>Its name in grains' identities.</summary>
    public string Name { get; }

    /// <summary>Its number in this process.</summary>
    public int Index { get; }

    /// <summary><c>[Reentrant]</c>.</summary>
    public bool IsReentrant { get; }

    /// <summary>How its instances are made.</summary>
    public GrainConstructor Constructor { get; }

    /// <summary>What <c>[MayInterleave]</c>'s predicate says of a method; false without one.</summary>
    public bool MayInterleave(string method) => _mayInterleave?.Invoke(method) ?? false;

    private static Func<string, bool>? FindPredicate(Type type)
    {
        if (type.GetCustomAttribute<MayInterleaveAttribute>(inherit: true) is not { } attribute) return null;
        var method = type.GetMethod(
            attribute.CallbackMethodName,
            BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.FlattenHierarchy,
            [typeof(string)]);
        return method?.ReturnType == typeof(bool)
            ? method.CreateDelegate<Func<string, bool>>()
            : throw new Orleans.Runtime.OrleansConfigurationException(
                $"[MayInterleave] on {type} names {attribute.CallbackMethodName}, which is not a static method bool {attribute.CallbackMethodName}(string methodName).");
    }
}
