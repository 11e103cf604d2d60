using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Polyjuice.Analyzers.Grains;

/// <summary>PJ0001 and PJ0002: attributes of classes that have transactional state.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class GrainClassAnalyzer : PolyjuiceAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.NotReentrant, Rules.StatelessWorker);

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes known) =>
        context.RegisterSymbolAction(symbol => Analyze(symbol, known), SymbolKind.NamedType);

    // An abstract class is never activated. What becomes of it, the classes that derive from it say.
    private static void Analyze(SymbolAnalysisContext context, KnownTypes known)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind != TypeKind.Class || type.IsAbstract || !known.IsGrainClass(type)) return;
        if (!type.InstanceConstructors.Any(constructor => constructor.Parameters.Any(known.IsState))) return;

        // Such a class is refused whatever else it is.
        if (KnownTypes.HasAttribute(type, known.StatelessWorker)) Report(Rules.StatelessWorker);
        else if (!KnownTypes.HasAttribute(type, known.Reentrant)) Report(Rules.NotReentrant);

        void Report(DiagnosticDescriptor rule) =>
            context.ReportDiagnostic(Diagnostic.Create(rule, type.Locations[0], type.Name));
    }
}
