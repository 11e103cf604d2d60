using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>Makes models of <c>[GenerateSerializer]</c> types.</summary>
internal static class TypeParser
{
    public static Parsed<TypeModel> Parse(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        var diagnostics = new List<DiagnosticInfo>();
        if (!Names.IsVisible(type)) diagnostics.Add(DiagnosticInfo.At(type, Diagnostics.Inaccessible, type.ToDisplayString()));
        if (Unsupported(type, context.Attributes[0]) is { } reason)
            diagnostics.Add(DiagnosticInfo.At(type, Diagnostics.Type, type.ToDisplayString(), reason));
        var alias = Names.AliasOf(type, diagnostics);
        var members = MemberParser.Parse(type, context.Attributes[0], diagnostics, cancellation);
        if (diagnostics.Count > 0) return new(null, new([.. diagnostics]));

        var parameters = TypeParameters(type);
        var full = Names.Full(type);
        var immutability = new Immutability(type.ContainingAssembly);
        var isImmutable = type.TypeKind != TypeKind.Enum && immutability.OfInstances(type);
        return new(new TypeModel(
            type.TypeKind switch { TypeKind.Enum => TypeKindModel.Enum, TypeKind.Struct => TypeKindModel.Struct, _ => TypeKindModel.Class },
            Names.CSharp(type),
            parameters.Count == 0 ? Names.CSharp(type) : Unbound(type),
            Names.Mangle(full),
            parameters.Count == 0 ? "" : $"<{string.Join(", ", parameters.Select(static p => p.Name))}>",
            parameters.Count == 0 ? "" : $"<{new string(',', parameters.Count - 1)}>",
            string.Concat(parameters.Select(Constraint)),
            alias,
            BaseOf(type),
            CreateOf(type),
            Names.IsImmutable(type) || IsException(type),
            isImmutable,
            new(isImmutable ? [.. immutability.Conditions] : []),
            new([.. members])), default);
    }

    private static string? Unsupported(INamedTypeSymbol type, AttributeData attribute) => type switch
    {
        { IsStatic: true } => "it is static",
        { IsRefLikeType: true } => "it lives on the stack",
        { TypeKind: not (TypeKind.Class or TypeKind.Struct or TypeKind.Enum) } => "it is not a class, struct, record or enum",
        { IsRecord: false } when MemberParser.IncludesPrimaryConstructor(attribute) == true => "only records' primary constructor parameters have properties to carry",
        _ when TypeParameters(type) is var all && all.Select(static p => p.Name).Distinct().Count() < all.Count => "a type parameter hides another",
        _ => null,
    };

    private static List<ITypeParameterSymbol> TypeParameters(INamedTypeSymbol type)
    {
        var all = new List<ITypeParameterSymbol>();
        for (var t = type; t is not null; t = t.ContainingType) all.InsertRange(0, t.TypeParameters);
        return all;
    }

    // "global::Bank.Outer<>.Inner<,>"
    private static string Unbound(INamedTypeSymbol type)
    {
        var name = type.Name + (type.TypeParameters.Length == 0 ? "" : $"<{new string(',', type.TypeParameters.Length - 1)}>");
        if (type.ContainingType is { } outer) return Unbound(outer) + "." + name;
        return type.ContainingNamespace is { IsGlobalNamespace: false } space
            ? space.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat) + "." + name
            : "global::" + name;
    }

    private static string Constraint(ITypeParameterSymbol parameter)
    {
        var constraints = new List<string>();
        if (parameter.HasUnmanagedTypeConstraint) constraints.Add("unmanaged");
        else if (parameter.HasValueTypeConstraint) constraints.Add("struct");
        else if (parameter.HasReferenceTypeConstraint) constraints.Add("class");
        else if (parameter.HasNotNullConstraint) constraints.Add("notnull");
        constraints.AddRange(parameter.ConstraintTypes.Select(Names.CSharp));
        if (parameter.HasConstructorConstraint) constraints.Add("new()");
        return constraints.Count == 0 ? "" : $" where {parameter.Name} : {string.Join(", ", constraints)}";
    }

    // Members of base classes are their codecs' business, wherever those were generated. Exceptions' base is built in.
    private static string? BaseOf(INamedTypeSymbol type)
    {
        for (var b = type.TypeKind == TypeKind.Class ? type.BaseType : null; b is not null; b = b.BaseType)
        {
            if (Names.Has(b.OriginalDefinition, Names.GenerateSerializer) || Names.Full(b) == "System.Exception") return Names.CSharp(b);
        }

        return null;
    }

    private static bool IsException(INamedTypeSymbol type)
    {
        for (var b = type.BaseType; b is not null; b = b.BaseType)
        {
            if (Names.Full(b) == "System.Exception") return true;
        }

        return false;
    }

    private static CreateKind CreateOf(INamedTypeSymbol type)
    {
        if (type.IsAbstract) return CreateKind.Never;
        if (type.InstanceConstructors.FirstOrDefault(static c => c.Parameters.IsEmpty) is not { } constructor) return CreateKind.Uninitialized;
        return constructor.DeclaredAccessibility is Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal
            && !HasRequiredMembers(type)
            ? CreateKind.Constructor
            : CreateKind.ConstructorAccessor;
    }

    private static bool HasRequiredMembers(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? t = type; t is not null; t = t.BaseType)
        {
            if (t.GetMembers().Any(static m => m is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true })) return true;
        }

        return false;
    }
}
