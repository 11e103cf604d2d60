using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>Ways through operations.</summary>
internal static class OperationExtensions
{
    /// <summary>
    /// An operation and all that it is made of, but for what functions within do: whether and when those run is
    /// unknown.
    /// </summary>
    public static IEnumerable<IOperation> Run(this IOperation operation)
    {
        var left = new Stack<IOperation>();
        left.Push(operation);
        while (left.Count > 0)
        {
            var next = left.Pop();
            yield return next;
            foreach (var child in next.ChildOperations.Reverse())
            {
                if (child is not (IAnonymousFunctionOperation or ILocalFunctionOperation or INameOfOperation))
                    left.Push(child);
            }
        }
    }

    /// <summary>Without the conversions and parentheses around it.</summary>
    public static IOperation Bare(this IOperation operation) => operation switch
    {
        IConversionOperation { OperatorMethod: null } conversion => conversion.Operand.Bare(),
        IParenthesizedOperation parentheses => parentheses.Operand.Bare(),
        _ => operation,
    };

    /// <summary>The whole that an operation is part of: a method's body, mostly.</summary>
    public static IOperation Whole(this IOperation operation)
    {
        while (operation.Parent is { } parent) operation = parent;
        return operation;
    }

    /// <summary>
    /// Where a chain of members, elements and casts begins: <c>state</c> of <c>state.Lines[0].Sum</c>.
    /// </summary>
    public static IOperation? Root(this IOperation? operation)
    {
        while (true)
        {
            switch (operation?.Bare())
            {
                case IMemberReferenceOperation { Instance: { } instance }:
                    operation = instance;
                    continue;
                case IArrayElementReferenceOperation element:
                    operation = element.ArrayReference;
                    continue;

                // In state?.Lines, the second part begins with what the first part is.
                case IConditionalAccessInstanceOperation placeholder:
                    operation = placeholder.Condition();
                    continue;
                case IConditionalAccessOperation { WhenNotNull: var then }:
                    operation = then;
                    continue;
                case var root:
                    return root;
            }
        }
    }

    /// <summary>Whether a symbol is declared in the source of an operation.</summary>
    public static bool Declares(this IOperation operation, ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences.Any(reference =>
            reference.SyntaxTree == operation.Syntax.SyntaxTree && operation.Syntax.Span.Contains(reference.Span));

    private static IOperation? Condition(this IConditionalAccessInstanceOperation placeholder)
    {
        IOperation child = placeholder;
        for (var parent = child.Parent; parent is not null; parent = parent.Parent)
        {
            if (parent is IConditionalAccessOperation access && access.WhenNotNull == child) return access.Operation;
            child = parent;
        }

        return null;
    }
}
