using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Polyjuice.Docs.Tests;

/// <summary>
/// Who makes or reads a message of the engine goes through the type of its kind: what a field or flag means in each
/// kind is known there only. By what the compiler says of each name in the code.
/// </summary>
public sealed class MessageTests
{
    private const string Envelope = EngineCode.Folder + "Wire/Message.cs";
    private const string Flags = EngineCode.Folder + "Wire/MessageFlags.cs";
    private const string Kinds = EngineCode.Folder + "Wire/Messages/";

    /// <summary>Fields that mean the same in all kinds.</summary>
    private static readonly string[] s_common = ["Kind", "Transaction", "Partition", "FromPartition", "From"];

    [Fact]
    public void What_depends_on_the_kind_is_used_in_the_types_of_the_kinds_only()
    {
        var wrong = EngineCode.Sources
            .Where(static tree => !IsOfKinds(tree) && tree.FilePath is not (Envelope or Flags))
            .AsParallel().SelectMany(Uses).Order(StringComparer.Ordinal).ToList();

        Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
    }

    [Fact]
    public void All_that_depends_on_the_kind_has_a_name_in_one()
    {
        var used = EngineCode.Sources.Where(IsOfKinds).SelectMany(Uses)
            .Select(static use => use.Split(' ')[^1]).ToHashSet();

        Assert.Equal([], DependentNames().Append("MessageFlags").Except(used));
    }

    private static bool IsOfKinds(SyntaxTree tree) => tree.FilePath.StartsWith(Kinds, StringComparison.Ordinal);

    /// <summary>Where a file uses what depends on the kind: place and name.</summary>
    private static IEnumerable<string> Uses(SyntaxTree tree)
    {
        var names = DependentNames().ToHashSet();
        var model = EngineCode.Compilation.GetSemanticModel(tree);
        foreach (var name in tree.GetRoot().DescendantNodes().OfType<SimpleNameSyntax>())
        {
            var text = name.Identifier.Text;
            if (text == "MessageFlags") yield return $"{EngineCode.PlaceOf(name)} {text}";
            if (names.Contains(text) && model.GetSymbolInfo(name).Symbol is { ContainingType.Name: "Message" })
                yield return $"{EngineCode.PlaceOf(name)} {text}";
        }
    }

    /// <summary>The envelope's members but for those that all kinds share, and those that encode it.</summary>
    private static IEnumerable<string> DependentNames()
    {
        var fields = EngineCode.Compilation.GetTypeByMetadataName("Polyjuice.Wire.Message")!.GetMembers()
            .OfType<IFieldSymbol>().Select(static field => field.Name);
        return fields.Except(s_common).Append("Has");
    }
}
