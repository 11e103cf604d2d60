using Microsoft.CodeAnalysis;

namespace Polyjuice.Analyzers.Bodies;

/// <summary>Which methods of grains may be run more than once by one call.</summary>
internal sealed class RepeatedBodies(KnownTypes known)
{
    /// <summary>
    /// The interface's method that says that this one may start a transaction, and does not switch retry off; none if
    /// there is no such. Methods that only join one are not meant: what starts it decides.
    /// </summary>
    public IMethodSymbol? InterfaceMethodOf(IMethodSymbol method)
    {
        if (method.ContainingType is not { TypeKind: TypeKind.Class } type) return null;
        foreach (var candidate in type.AllInterfaces.Where(known.IsGrainInterface))
        {
            foreach (var declared in candidate.GetMembers().OfType<IMethodSymbol>())
            {
                if (IsRepeated(declared)
                    && KnownTypes.Is(type.FindImplementationForInterfaceMember(declared), method)) return declared;
            }
        }

        return null;
    }

    private bool IsRepeated(IMethodSymbol method)
    {
        var attributes = method.GetAttributes();
        return attributes.Any(Starts) && !attributes.Any(IsNever);
    }

    // Of TransactionOption and TransactionOptionAlias.
    private bool Starts(AttributeData attribute) =>
        KnownTypes.Is(attribute.AttributeClass, known.Transaction)
        && NameOf(attribute) is "Create" or "CreateOrJoin" or "Required" or "RequiresNew";

    private bool IsNever(AttributeData attribute) =>
        KnownTypes.Is(attribute.AttributeClass, known.TransactionRetry) && NameOf(attribute) == "Never";

    private static string? NameOf(AttributeData attribute) =>
        attribute.ConstructorArguments is { Length: 1 } arguments
            ? arguments[0].Type?.GetMembers().OfType<IFieldSymbol>()
                .FirstOrDefault(field => field.HasConstantValue && Equals(field.ConstantValue, arguments[0].Value))
                ?.Name
            : null;
}
