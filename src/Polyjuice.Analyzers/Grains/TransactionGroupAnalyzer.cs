using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Polyjuice.Analyzers.Grains;

/// <summary>PJ0012: groups that silos would refuse. What depends on single keys is not among them.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class TransactionGroupAnalyzer : PolyjuiceAnalyzer
{
    private const string Integer = "IGrainWithIntegerKey";
    private const string IntegerCompound = "IGrainWithIntegerCompoundKey";
    private const string Guid = "IGrainWithGuidKey";
    private const string GuidCompound = "IGrainWithGuidCompoundKey";
    private const string Text = "IGrainWithStringKey";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(
        Rules.Group);

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes known)
    {
        if (known.Group is not null)
            context.RegisterSymbolAction(symbol => Analyze(symbol, known), SymbolKind.NamedType);
    }

    private static void Analyze(SymbolAnalysisContext context, KnownTypes known)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind != TypeKind.Class || type.IsAbstract || Find(type, known) is not { } declared) return;
        if (ProblemOf(type, declared, known) is { } problem)
            context.ReportDiagnostic(Diagnostic.Create(Rules.Group, type.Locations[0], type.Name, problem));
    }

    // The nearest one counts, as with attributes that are inherited.
    private static AttributeData? Find(INamedTypeSymbol type, KnownTypes known)
    {
        for (var part = type; part is not null; part = part.BaseType)
        {
            var found = part.GetAttributes().FirstOrDefault(attribute =>
                KnownTypes.Is(attribute.AttributeClass, known.Group)
                || KnownTypes.Is(attribute.AttributeClass?.OriginalDefinition, known.GroupFunction));
            if (found is not null) return found;
        }

        return null;
    }

    private static string? ProblemOf(INamedTypeSymbol type, AttributeData declared, KnownTypes known)
    {
        if (!type.InstanceConstructors.Any(constructor => constructor.Parameters.Any(known.IsTransactional)))
            return "it has no transactional state";
        var keys = type.AllInterfaces.Where(static one => one.ContainingNamespace.Name == "Orleans")
            .Select(static one => one.Name).ToArray();
        if (Is(declared, "DividedBy", static value => value is < 0L)) return "DividedBy is below 1";
        if (Is(declared, "DividedBy", static value => value is > 0L)
            && keys.Any(static key => key is Text or Guid or GuidCompound))
            return "DividedBy is for integer keys";
        if (Is(declared, "Separator", static value => value is not null)
            && keys.Any(static key => key is Integer or Guid))
            return "Separator is for string keys, and for the extension of compound ones";
        if (Is(declared, "Part", static value => value is < 0)) return "Part is below 0";
        if (Is(declared, "Key", static value => value is not 0)
            && !keys.Any(static key => key is IntegerCompound or GuidCompound) && keys.Any(IsKey))
            return "Key is for compound keys";
        return null;
    }

    private static bool IsKey(string name) => name is Integer or Guid or Text;

    private static bool Is(AttributeData declared, string property, Func<object?, bool> test) =>
        declared.NamedArguments.Any(
            argument => argument.Key == property && argument.Value.Kind != TypedConstantKind.Error
                && test(argument.Value.Value));
}
