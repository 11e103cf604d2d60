using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Polyjuice.Docs.Tests;

/// <summary>
/// The engine is a house: a folder of it knows only those on floors below (docs/internals/engine.md). By what the
/// compiler says of each name in the code; comments may name anything.
/// </summary>
public sealed class FloorTests
{
    /// <summary>From the ground up. What stands on one floor does not know each other.</summary>
    private static readonly string[][] s_floors =
    [
        ["Contracts"],
        ["Wire"],
        ["Storage", "Policies"],
        ["Versions"],
        ["Waits"],
        ["Reservations"],
        ["Partitions"],
        ["Agents"],
        ["Engine"],
        ["Publishing", "Tracing", "Diagnostics"],
    ];

    /// <summary>Which type uses which all the same, and how often. These may only shrink.</summary>
    private static readonly Dictionary<(string User, string Used), int> s_exceptions = new()
    {
        // Whoever hosts an engine need not know what measures it.
        [("TransactionEngine", "EngineMetrics")] = 1,

        // One meter for all of Polyjuice.
        [("FollowerMetrics", "PolyjuiceMeter")] = 1,
    };

    private static readonly Dictionary<string, int> s_levels = s_floors
        .SelectMany(static (floor, level) => floor.Select(name => (name, level)))
        .ToDictionary(static floor => floor.name, static floor => floor.level);

    private static readonly Lazy<Dictionary<string, HashSet<string>>> s_names = new(NamesAbove);

    [Fact]
    public void Every_file_is_on_a_floor()
    {
        var strays = EngineCode.Sources.Where(static tree => !s_levels.ContainsKey(FloorOf(tree)))
            .Select(static tree => tree.FilePath);

        Assert.Equal([], strays);
    }

    [Fact]
    public void The_compiler_knows_what_the_sources_declare()
    {
        // Methods that generators write (log lines) are not there; nothing else may be missing.
        const string NoImplementation = "CS8795";
        var errors = EngineCode.Compilation.GetDeclarationDiagnostics()
            .Where(static error => error.Severity == DiagnosticSeverity.Error && error.Id != NoImplementation)
            .Select(static error => error.ToString());

        Assert.Equal([], errors.Take(20));
    }

    [Fact]
    public void A_floor_knows_only_those_below_it()
    {
        var uses = EngineCode.Sources.AsParallel().SelectMany(Upwards).ToLookup(static use => (use.User, use.Used));
        var wrong = uses
            .Where(static use => use.Count() > s_exceptions.GetValueOrDefault(use.Key))
            .SelectMany(static use => use)
            .Select(static use => use.ToString()).Order(StringComparer.Ordinal).ToList();

        Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
        Assert.All(s_exceptions, exception => Assert.Equal(exception.Value, uses[exception.Key].Count()));
    }

    [Fact]
    public void A_namespace_is_called_like_its_floor()
    {
        // What users put on their code, and ask there, has no floor in its name.
        var wrong = EngineCode.Sources
            .Select(static tree => (
                Tree: tree,
                Name: tree.GetRoot().ChildNodes().OfType<BaseNamespaceDeclarationSyntax>().Single().Name.ToString()))
            .Where(static file => file.Name != "Polyjuice" || FloorOf(file.Tree) != "Contracts")
            .Where(static file =>
                !$"{file.Name}.".StartsWith($"Polyjuice.{FloorOf(file.Tree)}.", StringComparison.Ordinal))
            .Select(static file => $"{file.Tree.FilePath}: {file.Name}");

        Assert.Equal([], wrong);
    }

    /// <summary>What a file uses that is not below it.</summary>
    /// <remarks>
    /// The compiler is asked only of names that are declared there: to bind all of the code takes it far longer.
    /// Nothing up there is used without the name of a type, or of a member that extends one of below.
    /// </remarks>
    private static IEnumerable<Use> Upwards(SyntaxTree tree)
    {
        var floor = FloorOf(tree);
        var names = s_names.Value[floor];
        var model = EngineCode.Compilation.GetSemanticModel(tree);
        foreach (var node in tree.GetRoot().DescendantNodes(static node => node is not UsingDirectiveSyntax))
        {
            if (node is not SimpleNameSyntax name || !names.Contains(name.Identifier.Text)) continue;
            foreach (var used in TypesOf(model.GetSymbolInfo(name).Symbol))
            {
                if (used.DeclaringSyntaxReferences is not [var declared, ..]) continue;
                var other = FloorOf(declared.SyntaxTree);
                if (other != floor && s_levels[other] >= s_levels[floor])
                    yield return new Use(UserOf(node), EngineCode.PlaceOf(node), floor, used.Name, other);
            }
        }
    }

    /// <summary>By floor: types that are not below it, and members that extend others.</summary>
    private static Dictionary<string, HashSet<string>> NamesAbove()
    {
        var declared = EngineCode.Sources.SelectMany(static tree => tree.GetRoot().DescendantNodes()
            .Select(static node => node switch
            {
                BaseTypeDeclarationSyntax type => type.Identifier.Text,
                DelegateDeclarationSyntax type => type.Identifier.Text,
                PropertyDeclarationSyntax { Parent: ExtensionBlockDeclarationSyntax } added => added.Identifier.Text,
                MethodDeclarationSyntax { Parent: ExtensionBlockDeclarationSyntax } added => added.Identifier.Text,
                MethodDeclarationSyntax { ParameterList.Parameters: [{ } first, ..] } method
                    when first.Modifiers.Any(SyntaxKind.ThisKeyword) => method.Identifier.Text,
                _ => "",
            })
            .Where(static name => name.Length > 0)
            .Select(name => (Floor: FloorOf(tree), Name: name))).ToList();
        return s_levels.Keys.ToDictionary(
            static floor => floor,
            floor => declared.Where(name => name.Floor != floor && s_levels[name.Floor] >= s_levels[floor])
                .Select(static name => name.Name).ToHashSet());
    }

    /// <summary>A type by itself, or the one whose member it is; and the types that it is made of.</summary>
    private static IEnumerable<INamedTypeSymbol> TypesOf(ISymbol? symbol) => symbol switch
    {
        IAliasSymbol alias => TypesOf(alias.Target),
        IArrayTypeSymbol array => TypesOf(array.ElementType),
        INamedTypeSymbol type => type.TypeArguments.SelectMany(TypesOf).Append(Outermost(type.OriginalDefinition)),
        IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol => TypesOf(symbol.ContainingType),
        _ => [],
    };

    private static INamedTypeSymbol Outermost(INamedTypeSymbol type)
    {
        while (type.ContainingType is { } outer) type = outer;
        return type;
    }

    private static string UserOf(SyntaxNode node) =>
        node.Ancestors().OfType<MemberDeclarationSyntax>()
            .LastOrDefault(static outer => outer is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax) switch
        {
            BaseTypeDeclarationSyntax type => type.Identifier.Text,
            DelegateDeclarationSyntax type => type.Identifier.Text,
            _ => "",
        };

    private static string FloorOf(SyntaxTree tree) => tree.FilePath[EngineCode.Folder.Length..].Split('/')[0];

    private sealed record Use(string User, string Place, string Floor, string Used, string UsedFloor)
    {
        public override string ToString() =>
            $"{User} ({Place}) on floor {Floor} uses {Used} on floor {UsedFloor} "
            + (s_levels[UsedFloor] > s_levels[Floor] ? "above it" : "beside it");
    }
}
