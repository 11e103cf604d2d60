using Microsoft.CodeAnalysis;
using Polyjuice.Embedded.Generators;

namespace Polyjuice.Embedded.Tests.Generators;

public sealed class CachingTests
{
    private const string Grains = """
        [GenerateSerializer] public class State { [Id(0)] public int A; }
        public interface IMine : IGrainWithStringKey { Task<State> Get(); }
        """;

    [Fact]
    public void An_unrelated_edit_runs_nothing_again()
    {
        var result = AfterEdit(1, "public class Unrelated { public int X; void M() { } }");
        AssertSame(result, GrainGenerator.TypesStep);
        AssertSame(result, GrainGenerator.InterfacesStep);
        AssertSame(result, GrainGenerator.ManifestStep);
        Assert.All(result.TrackedOutputSteps.SelectMany(static s => s.Value).SelectMany(static s => s.Outputs), static o => Assert.Equal(IncrementalStepRunReason.Cached, o.Reason));
    }

    [Fact]
    public void Moving_a_declaration_to_another_line_runs_nothing_again()
    {
        var result = AfterEdit(0, "\n\n// A comment.\n" + Grains);
        Assert.All(result.TrackedOutputSteps.SelectMany(static s => s.Value).SelectMany(static s => s.Outputs), static o => Assert.Equal(IncrementalStepRunReason.Cached, o.Reason));
    }

    [Fact]
    public void A_new_member_changes_its_type_and_nothing_else()
    {
        var result = AfterEdit(0, Grains.Replace("public int A;", "public int A; [Id(1)] public string? B;"));
        Assert.Equal([IncrementalStepRunReason.Modified], Reasons(result.TrackedSteps, GrainGenerator.TypesStep));
        AssertSame(result, GrainGenerator.InterfacesStep);
        AssertSame(result, GrainGenerator.ManifestStep);
    }

    private static GeneratorRunResult AfterEdit(int file, string source)
    {
        var compilation = GeneratorRun.Compile(Grains, "public class Unrelated { }");
        var driver = GeneratorRun.Driver().RunGenerators(compilation);
        var tree = compilation.SyntaxTrees[file];
        return driver.RunGenerators(compilation.ReplaceSyntaxTree(tree, GeneratorRun.Parse(source, tree.FilePath))).GetRunResult().Results[0];
    }

    private static void AssertSame(GeneratorRunResult result, string step) => Assert.All(
        Reasons(result.TrackedSteps, step),
        static reason => Assert.True(reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, $"{reason}"));

    private static IEnumerable<IncrementalStepRunReason> Reasons(
        IReadOnlyDictionary<string, System.Collections.Immutable.ImmutableArray<IncrementalGeneratorRunStep>> steps, string name) =>
        steps[name].SelectMany(static step => step.Outputs).Select(static output => output.Reason);
}
