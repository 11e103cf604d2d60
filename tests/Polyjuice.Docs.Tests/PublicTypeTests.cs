using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Polyjuice.Docs.Tests;

/// <summary>What is public is what somebody outside of the repository must name in code, and no more.</summary>
public partial class PublicTypeTests
{
    // Raise a limit only for a type that an application, or a log of somebody else's, can't do without.
    private static readonly Dictionary<string, int> s_most = new()
    {
        ["Polyjuice"] = 19, ["Polyjuice.CommandLine"] = 0, ["Polyjuice.Isolation"] = 11, ["Polyjuice.LiveView"] = 4,
        ["Polyjuice.Orleans"] = 34, ["Polyjuice.Simulation"] = 0, ["Polyjuice.Storage.AzureBlobs"] = 2,
        ["Polyjuice.Storage.PostgreSql"] = 2, ["Polyjuice.Storage.Redis"] = 3, ["Polyjuice.Testing"] = 12,
        ["Polyjuice.Training"] = 1, ["Polyjuice.Training.Cluster"] = 2, ["Polyjuice.Training.Orleans"] = 5,
    };

    // Samples that people copy; those of the laboratory see internals.
    private static readonly string[] s_laboratory = ["samples/Smallbank/", "samples/Tpcc/"];

    private static readonly ILookup<string, BaseTypeDeclarationSyntax> s_declared = SourceFiles.In("src")
        .SelectMany(static file => CSharpSyntaxTree.ParseText(Repository.Read(file)).GetRoot().DescendantNodes()
            .OfType<BaseTypeDeclarationSyntax>())
        .Where(static type => type.Parent is BaseNamespaceDeclarationSyntax)
        .ToLookup(static type => $"{((BaseNamespaceDeclarationSyntax)type.Parent!).Name}.{type.Identifier.Text}");

    public static TheoryData<string> Packages => [.. PublicType.Packages()];

    [Theory]
    [MemberData(nameof(Packages))]
    public void A_package_has_no_more_public_types_than_its_limit(string package)
    {
        Assert.True(s_most.TryGetValue(package, out var most), $"{package} has no limit of public types.");
        var count = PublicType.All.Count(type => type.Package == package);

        Assert.True(
            count <= most,
            $"{package} has {count} public types, and its limit is {most}: make internal what nobody outside names.");
    }

    [Fact]
    public void Every_limit_is_one_of_a_package() =>
        Assert.Equal(PublicType.Packages(), s_most.Keys.Order(StringComparer.Ordinal));

    [Fact]
    public void Every_public_type_has_a_summary()
    {
        var without = PublicType.All
            .Where(static type => !s_declared[type.FullName].Any(HasSummary))
            .Select(static type => $"{type.Package}: {type.FullName}");

        Assert.Empty(without);
    }

    [Fact]
    public void Every_public_type_is_named_outside_or_in_a_signature_of_one_that_is()
    {
        var words = Words().Matches(Outside()).Select(static word => word.Value).ToHashSet();
        var needed = PublicType.All
            .Where(type => words.Contains(type.Name) || type.Extensions.Any(words.Contains))
            .ToHashSet();
        Assert.NotEmpty(needed);
        for (var before = 0; before < needed.Count;)
        {
            before = needed.Count;
            needed.UnionWith(
                PublicType.All.Where(type => needed.Any(one => one.Uses(type) || IsBase(type, one))).ToList());
        }

        Assert.Empty(PublicType.All.Except(needed).Select(static type => $"{type.Package}: {type.FullName}"));
    }

    private static bool HasSummary(BaseTypeDeclarationSyntax type) =>
        type.GetLeadingTrivia()
            .Select(static trivia => trivia.GetStructure())
            .OfType<DocumentationCommentTriviaSyntax>()
            .SelectMany(static comment => comment.Content.OfType<XmlElementSyntax>())
            .Any(static element => element.StartTag.Name.ToString() == "summary"
                && Words().IsMatch(element.Content.ToString()));

    private static bool IsBase(PublicType type, PublicType derived) =>
        s_declared[derived.FullName]
            .SelectMany(static declared => declared.BaseList?.Types ?? default(SeparatedSyntaxList<BaseTypeSyntax>))
            .Any(one => one.Type.ToString() == type.FullName[(type.FullName.LastIndexOf('.') + 1)..]);

    // All that applications are told and shown. What is told to who changes the repository is no reason to be public.
    private static string Outside() => string.Join('\n', [
        .. Page.Guide.Where(static page => !page.Path.StartsWith("docs/internals/", StringComparison.Ordinal))
            .Select(static page => page.Text),
        .. new[] { "samples", "src/Polyjuice.Templates/content", "tests/Polyjuice.Packages.Tests/Outside" }
            .SelectMany(SourceFiles.In)
            .Where(static file => !s_laboratory.Any(
                folder => file.StartsWith(folder, StringComparison.Ordinal)))
            .Select(Repository.Read)]);

    [GeneratedRegex(@"\w+")]
    private static partial Regex Words();
}
