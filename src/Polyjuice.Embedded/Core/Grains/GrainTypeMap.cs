using System.Reflection;
using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Core;

/// <summary>The grain classes, interfaces and methods of a cluster's application, found once at start. Immutable, thread-safe.</summary>
internal sealed class GrainTypeMap
{
    private readonly Dictionary<string, GrainClass> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<Type, GrainClass[]> _byInterface = [];
    private readonly Dictionary<GrainMethodDescriptor, int> _methodIds = new(ReferenceEqualityComparer.Instance);
    private readonly List<GrainMethodDescriptor> _methods = [];

    /// <summary>Scans assemblies.</summary>
    /// <param name="assemblies">Where grain interfaces and classes are.</param>
    /// <param name="filter">Which grain classes to take; all without it.</param>
    public GrainTypeMap(IEnumerable<Assembly> assemblies, Func<Type, bool>? filter)
    {
        var builder = new ManifestBuilder(CodecProvider.Shared);
        var types = new List<Type>();
        foreach (var assembly in assemblies)
        {
            builder.AddAssembly(assembly);
            types.AddRange(assembly.GetTypes().Where(IsGrainClass).Where(type => filter?.Invoke(type) ?? true));
        }

        Interfaces = builder.Interfaces;
        AddClasses(types);
        foreach (var descriptor in Interfaces.Values.OrderBy(known => known.InterfaceType.FullName, StringComparer.Ordinal))
        {
            _byInterface[descriptor.InterfaceType] = [.. Classes.Where(known => known.Type.IsAssignableTo(descriptor.InterfaceType))];
            foreach (var method in descriptor.Methods)
            {
                if (_methodIds.TryAdd(method, _methods.Count)) _methods.Add(method);
            }
        }
    }

    /// <summary>The classes, by number.</summary>
    public List<GrainClass> Classes { get; } = [];

    /// <summary>The grain interfaces.</summary>
    public IReadOnlyDictionary<Type, GrainInterfaceDescriptor> Interfaces { get; }

    /// <summary>A method's number on the wire, the same on all nodes of the process.</summary>
    public int IdOf(GrainMethodDescriptor method) => _methodIds[method];

    /// <summary>The method with that number.</summary>
    public GrainMethodDescriptor Method(int id) =>
        (uint)id < (uint)_methods.Count ? _methods[id] : throw new WireFormatException($"There is no grain method number {id}.");

    /// <summary>The class of grains with that type name.</summary>
    public GrainClass ClassOf(string grainType) => _byName.TryGetValue(grainType, out var found)
        ? found
        : throw new ArgumentException($"No grain class is named {grainType}; known are {string.Join(", ", _byName.Keys.Order())}.");

    /// <summary>The one class that implements an interface (and whose full name starts with the prefix).</summary>
    public GrainClass ClassFor(Type grainInterface, string? prefix)
    {
        if (!_byInterface.TryGetValue(grainInterface, out var classes))
        {
            throw new ArgumentException(grainInterface.IsInterface
                ? $"{grainInterface} is not a grain interface that this cluster knows: derive it from IGrainWithStringKey or another, in an assembly that the source generator runs in."
                : $"{grainInterface} is a class: grains are called through their interfaces.");
        }

        if (prefix is not null)
            classes = [.. classes.Where(known => known.Type.FullName!.StartsWith(prefix, StringComparison.Ordinal))];
        return classes.Length switch
        {
            1 => classes[0],
            0 => throw new ArgumentException($"No grain class implements {grainInterface}{(prefix is null ? "" : $" under a name that starts with {prefix}")}."),
            _ => throw new ArgumentException(
                $"Several grain classes implement {grainInterface}: {string.Join(", ", classes.Select(known => known.Type.FullName))}. Say which with grainClassNamePrefix."),
        };
    }

    private static bool IsGrainClass(Type type) =>
        type is { IsClass: true, IsAbstract: false, ContainsGenericParameters: false }
        && type.IsAssignableTo(typeof(IAddressable)) && !type.IsAssignableTo(typeof(GrainReference))
        && (type.IsAssignableTo(typeof(Orleans.IGrainBase)) || type.IsAssignableTo(typeof(Orleans.IGrain)));

    private void AddClasses(List<Type> types)
    {
        types.Sort((left, right) => string.CompareOrdinal(left.FullName, right.FullName));
        foreach (var type in types)
        {
            // The short name is what logs, policies and people see; it grows only where it would mean two classes.
            var isUnique = types.Count(other => other.Name == type.Name) == 1;
            var grainClass = new GrainClass(type, isUnique ? type.Name : type.FullName!, Classes.Count);
            Classes.Add(grainClass);
            _byName.Add(grainClass.Name, grainClass);
        }
    }
}
