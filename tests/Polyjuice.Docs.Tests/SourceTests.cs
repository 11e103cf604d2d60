using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Polyjuice.Docs.Tests;

/// <summary>What is shipped is in classes and methods that are read at once.</summary>
public class SourceTests
{
    private const int TypeLinesMax = 500;
    private const int MethodLinesMax = 60;
    private const int LineMax = 120;

    private static readonly string[] s_folders = ["src", "benchmarks", "samples", "tests"];

    private static readonly ILookup<string, (string File, TypeDeclarationSyntax Syntax)> s_types = SourceFiles.In("src")
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
            .Where(static part => part.File.StartsWith(EngineCode.Folder, StringComparison.Ordinal))
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
            .Where(static type => type.Any(static part => part.File.StartsWith(
                EngineCode.Folder, StringComparison.Ordinal)
                && part.Syntax.Modifiers.Any(SyntaxKind.PartialKeyword)))
            .Where(static type => !type.Any(static part => part.Syntax.Members.OfType<MethodDeclarationSyntax>()
                .Any(static method => method.Modifiers.Any(SyntaxKind.PartialKeyword))))
            .Select(static type => type.Key)
            .Order(StringComparer.Ordinal);

        Assert.Empty(parts);
    }

    // What can't be broken is a text within a line, or a test's sentence.
    [Fact]
    public void Lines_have_120_characters_at_most()
    {
        var tooLong = new List<string>();
        foreach (var file in s_folders.SelectMany(SourceFiles.In))
        {
            var text = SourceText.From(Repository.Read(file));
            if (!text.Lines.Any(static line => line.Span.Length > LineMax)) continue;
            var root = CSharpSyntaxTree.ParseText(text).GetRoot();
            tooLong.AddRange(text.Lines.Where(line => line.Span.Length > LineMax && !IsUnbreakable(root, line))
                .Select(line => $"{file}:{line.LineNumber + 1}: {line.Span.Length} characters"));
        }

        Assert.True(tooLong.Count == 0, string.Join(Environment.NewLine, tooLong));
    }

    private static bool IsUnbreakable(SyntaxNode root, TextLine line)
    {
        var position = line.Start + LineMax;
        if (root.FindTrivia(position).IsKind(SyntaxKind.SingleLineCommentTrivia)) return false;
        var token = root.FindToken(position);
        return token.Parent is MethodDeclarationSyntax
            || token.Parent!.AncestorsAndSelf()
                .TakeWhile(static node => node is not StatementSyntax and not MemberDeclarationSyntax)
                    .Any(static node => node is InterpolatedStringExpressionSyntax
                        || node.RawKind == (int)SyntaxKind.StringLiteralExpression);
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
