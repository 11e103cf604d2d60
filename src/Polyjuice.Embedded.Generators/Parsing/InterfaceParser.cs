using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Polyjuice.Embedded.Generators;

/// <summary>Makes models of grain interfaces.</summary>
internal static class InterfaceParser
{
    /// <summary>The model of a grain interface; null for any other interface.</summary>
    public static Parsed<InterfaceModel>? Parse(GeneratorSyntaxContext context, CancellationToken cancellation)
    {
        if (context.SemanticModel.GetDeclaredSymbol(context.Node, cancellation) is not INamedTypeSymbol type) return null;
        if (!Names.IsGrainInterface(type) || type.ContainingNamespace.ToDisplayString() is "Orleans" or "Orleans.Runtime") return null;
        if (!IsFirstDeclaration(type, context.Node, cancellation)) return null;

        var diagnostics = new List<DiagnosticInfo>();
        if (IsGeneric(type)) diagnostics.Add(DiagnosticInfo.At(type, Diagnostics.GenericInterface, type.ToDisplayString()));
        if (!Names.IsVisible(type)) diagnostics.Add(DiagnosticInfo.At(type, Diagnostics.Inaccessible, type.ToDisplayString()));

        var members = type.AllInterfaces.SelectMany(static i => i.GetMembers()).Concat(type.GetMembers()).ToList();
        var methods = new List<MethodModel>();
        foreach (var member in members)
        {
            cancellation.ThrowIfCancellationRequested();
            if (member is INamedTypeSymbol or IMethodSymbol { AssociatedSymbol: not null } or { IsStatic: true, IsAbstract: false }) continue;
            if (member is IMethodSymbol { IsStatic: false, MethodKind: MethodKind.Ordinary } method)
            {
                var isOverloaded = members.Count(m => m.Name == method.Name) > 1;
                if (MethodParser.Parse(method, isOverloaded, diagnostics) is { } model) methods.Add(model);
            }
            else if (member is not IMethodSymbol { MethodKind: MethodKind.ExplicitInterfaceImplementation })
            {
                diagnostics.Add(DiagnosticInfo.At(member, Diagnostics.NotAMethod, member.ToDisplayString()));
            }
        }

        if (diagnostics.Count > 0) return new(null, new([.. diagnostics]));
        var full = Names.Full(type);
        return new(new InterfaceModel(Names.CSharp(type), full, Names.Mangle(full), new([.. methods])), default);
    }

    // A partial interface has a model once.
    private static bool IsFirstDeclaration(INamedTypeSymbol type, SyntaxNode node, CancellationToken cancellation) =>
        type.DeclaringSyntaxReferences.Select(r => r.GetSyntax(cancellation))
            .FirstOrDefault(static n => n is InterfaceDeclarationSyntax { BaseList: not null }) == node;

    private static bool IsGeneric(INamedTypeSymbol type)
    {
        for (var t = type; t is not null; t = t.ContainingType)
        {
            if (!t.TypeParameters.IsEmpty) return true;
        }

        return false;
    }
}
