using Microsoft.CodeAnalysis;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>Which parts of a state are certain to be shared, and to change, when they are handed on.</summary>
internal static class MutableState
{
    /// <summary>Whether an expression is the state itself, or a collection in it that can be changed.</summary>
    public static bool Is(IOperation expression, StateFunction function) =>
        function.IsState(expression)
        || (function.IsOfState(expression) && expression.Bare().Type is { } type && IsCollection(type));

    // By where the type is from: others, immutable ones too, implement the same interfaces.
    private static bool IsCollection(ITypeSymbol type) =>
        type is IArrayTypeSymbol
        || (type.ContainingNamespace?.ToDisplayString()
                is "System.Collections.Generic" or "System.Collections.Concurrent"
            && !type.Name.StartsWith("IReadOnly", StringComparison.Ordinal)
            && type.IsReferenceType
            && (IsEnumerable(type) || type.AllInterfaces.Any(IsEnumerable))
            && !IsEnumerableAlone(type));

    private static bool IsEnumerable(ITypeSymbol type) =>
        type.SpecialType == SpecialType.System_Collections_IEnumerable
        || IsEnumerableAlone(type);

    private static bool IsEnumerableAlone(ITypeSymbol type) =>
        type.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T;
}
