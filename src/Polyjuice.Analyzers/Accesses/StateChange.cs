using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>Which operations change an object.</summary>
internal static class StateChange
{
    private static readonly ImmutableHashSet<string> s_changing = ImmutableHashSet.Create(
        "Add", "AddAfter", "AddBefore", "AddFirst", "AddLast", "AddOrUpdate", "AddRange", "Clear", "Dequeue", "Enqueue",
        "EnqueueRange", "ExceptWith", "GetOrAdd", "Insert", "InsertRange", "IntersectWith", "Pop", "Push", "Remove",
        "RemoveAll", "RemoveAt", "RemoveFirst", "RemoveLast", "RemoveRange", "RemoveWhere",
        "SymmetricExceptWith", "TryAdd", "TryDequeue", "TryPop", "TryRemove", "TryUpdate", "UnionWith");

    /// <summary>
    /// What an operation changes: members that are assigned, and collections that are added to or removed from. Empty
    /// if it changes nothing, or nothing that is certain. To sort is not meant: a read may want its copy sorted.
    /// </summary>
    public static IEnumerable<IOperation> Targets(IOperation operation) => operation switch
    {
        IAssignmentOperation assignment => Assigned(assignment.Target),
        IIncrementOrDecrementOperation increment => Assigned(increment.Target),
        IInvocationOperation { Instance: { } instance, TargetMethod: var method } when IsChange(method) => [instance],
        _ => [],
    };

    private static IEnumerable<IOperation> Assigned(IOperation target) => target switch
    {
        ITupleOperation tuple => tuple.Elements.SelectMany(Assigned),
        IMemberReferenceOperation or IArrayElementReferenceOperation => [target],
        _ => [],
    };

    // Those of immutable collections have the same names, and change nothing.
    private static bool IsChange(IMethodSymbol method) =>
        s_changing.Contains(method.Name)
        && method.ContainingType.ContainingNamespace.ToDisplayString() is "System.Collections"
            or "System.Collections.Generic" or "System.Collections.ObjectModel" or "System.Collections.Concurrent";
}
