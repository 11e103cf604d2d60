using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Polyjuice.Docs.Tests;

/// <summary>What is shipped is in classes and methods that are read at once.</summary>
public class SourceTests
{
    private const int TypeLinesMax = 500;
    private const int MethodLinesMax = 60;
    private const string Engine = "src/Polyjuice/";

    private static readonly ILookup<string, (string File, TypeDeclarationSyntax Syntax)> s_types = Directory
        .EnumerateFiles(Repository.PathOf("src"), "*.cs", SearchOption.AllDirectories)
        .Select(static file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
        .Where(
            static file => !file.Contains("/obj/", StringComparison.Ordinal)
                && !file.Contains("/bin/", StringComparison.Ordinal))
        .SelectMany(static file => CSharpSyntaxTree.ParseText(Repository.Read(file)).GetRoot().DescendantNodes()
            .OfType<TypeDeclarationSyntax>().Select(type => (file, type)))
        .ToLookup(static declared => NameOf(declared.type));

    [Fact]
    public void Types_are_read_at_once()
    {
        var large = s_types
            .Select(static type => (Name: type.Key, Lines: type.Sum(static part => LinesOf(part.Syntax))))
            .Where(static type => type.Lines > TypeLinesMax)
            .Select(static type => $"{type.Name}: {type.Lines} lines").ToList();

        Assert.True(large.Count == 0, string.Join(Environment.NewLine, large));
    }

    [Fact]
    public void Methods_of_the_engine_are_read_at_once()
    {
        var methods = s_types.SelectMany(static type => type
            .Where(static part => part.File.StartsWith(Engine, StringComparison.Ordinal))
            .SelectMany(static part => part.Syntax.Members.OfType<BaseMethodDeclarationSyntax>())
            .Select(method => (Name: $"{type.Key}.{NameOf(method)}", Lines: LinesOf(method))));
        var large = methods
            .Where(static method => method.Lines > MethodLinesMax)
            .Select(static method => $"{method.Name}: {method.Lines} lines").ToList();

        Assert.True(large.Count == 0, string.Join(Environment.NewLine, large));
    }

    [Fact]
    public void Types_of_the_engine_are_in_one_piece_unless_parts_are_generated()
    {
        var parts = s_types
            .Where(static type => type.Any(static part => part.File.StartsWith(Engine, StringComparison.Ordinal)
                && part.Syntax.Modifiers.Any(SyntaxKind.PartialKeyword)))
            .Where(static type => !type.Any(static part => part.Syntax.Members.OfType<MethodDeclarationSyntax>()
                .Any(static method => method.Modifiers.Any(SyntaxKind.PartialKeyword))))
            .Select(static type => type.Key)
            .Order(StringComparer.Ordinal);

        Assert.Empty(parts);
    }

    private static int LinesOf(SyntaxNode node)
    {
        var lines = node.GetLocation().GetLineSpan();
        return lines.EndLinePosition.Line - lines.StartLinePosition.Line + 1;
    }

    private static string NameOf(TypeDeclarationSyntax type) => type.Parent switch
    {
        TypeDeclarationSyntax outer => $"{NameOf(outer)}.{type.Identifier.Text}",
        BaseNamespaceDeclarationSyntax space => $"{space.Name}.{type.Identifier.Text}",
        _ => type.Identifier.Text,
    };

    private static string NameOf(BaseMethodDeclarationSyntax method) => method switch
    {
        MethodDeclarationSyntax named => named.Identifier.Text,
        ConstructorDeclarationSyntax => ".ctor",
        _ => method.Kind().ToString(),
    };
}
