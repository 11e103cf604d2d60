using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>
/// Finds out whether nobody can change a type's values: no field that is reachable from one can be set, nor holds something
/// that can change. Types that contain themselves count as immutable if nothing else speaks against it.
/// </summary>
internal sealed class Immutability(IAssemblySymbol assembly)
{
    private readonly HashSet<ITypeSymbol> _visited = new(SymbolEqualityComparer.Default);

    /// <summary>The types that are known only when running, and must be immutable too.</summary>
    public SortedSet<string> Conditions { get; } = new(StringComparer.Ordinal);

    /// <summary>Whether instances of exactly this type are immutable, if <see cref="Conditions"/> are met.</summary>
    public bool OfInstances(INamedTypeSymbol type)
    {
        _visited.Add(type);
        return AreFieldsImmutable(type);
    }

    private bool Of(ITypeSymbol type)
    {
        if (!_visited.Add(type) || !WireKinds.Of(type).IsCodec || Names.IsImmutable(type) || Names.IsGrainInterface(type)) return true;
        if (type is ITypeParameterSymbol)
        {
            Conditions.Add(Names.CSharp(type));
            return true;
        }

        if (type is not INamedTypeSymbol named) return false;
        if (named.IsTupleType || IsTransparent(Names.Full(named.OriginalDefinition))) return named.TypeArguments.All(Of);
        if (IsKnown(Names.Full(named))) return true;

        // Another assembly's private fields are not there to look at.
        if (!SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, assembly)) return false;
        return (type.IsSealed || type.IsValueType) && Names.Has(type.OriginalDefinition, Names.GenerateSerializer) && AreFieldsImmutable(named);
    }

    private bool AreFieldsImmutable(INamedTypeSymbol type)
    {
        foreach (var field in type.GetMembers().OfType<IFieldSymbol>())
        {
            if (field.IsStatic) continue;
            var isSetOnce = type.IsValueType || field.IsReadOnly
                || field.AssociatedSymbol is IPropertySymbol { SetMethod: null or { IsInitOnly: true } };
            if (!isSetOnce || !(Names.IsImmutable(field.AssociatedSymbol ?? field) || Of(field.Type))) return false;
        }

        return type.BaseType is null or { SpecialType: SpecialType.System_Object or SpecialType.System_ValueType }
            || (SymbolEqualityComparer.Default.Equals(type.BaseType.ContainingAssembly, assembly) && AreFieldsImmutable(type.BaseType));
    }

    private static bool IsTransparent(string name) => name is "System.Nullable`1" or "System.Collections.Generic.KeyValuePair`2"
        || name.StartsWith("System.Tuple`", StringComparison.Ordinal)
        || name.StartsWith("System.ValueTuple`", StringComparison.Ordinal)
        || (name.StartsWith("System.Collections.Immutable.Immutable", StringComparison.Ordinal) && !name.Contains("+"));

    private static bool IsKnown(string name) => name is "System.Uri" or "System.Version" or "System.DateOnly" or "System.TimeOnly";
}
