using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Polyjuice.Embedded.Generators;

namespace Polyjuice.Embedded.Tests.Generators;

/// <summary>Runs the generator on sources given as text.</summary>
internal static class GeneratorRun
{
    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) is var name
                && (name.StartsWith("System.", StringComparison.Ordinal) || name is "Polyjuice.dll" or "Polyjuice.Embedded.dll" or "netstandard.dll"))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Latest);

    public static CSharpCompilation Compile(params string[] sources) => CSharpCompilation.Create(
        "Sample",
        sources.Select(static (source, i) => Parse(source, $"Source{i}.cs")),
        References,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable,
            generalDiagnosticOption: ReportDiagnostic.Error, warningLevel: 9999));

    public static SyntaxTree Parse(string source, string path) =>
        CSharpSyntaxTree.ParseText("using Orleans; using Orleans.Concurrency; using System; using System.Collections.Generic; using System.Threading; using System.Threading.Tasks;\n" + source, ParseOptions, path);

    public static GeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new GrainGenerator().AsSourceGenerator()],
        parseOptions: ParseOptions,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    /// <summary>What the generator refuses.</summary>
    public static IReadOnlyList<Diagnostic> Refusals(string source) => Driver().RunGenerators(Compile(source)).GetRunResult().Diagnostics;

    /// <summary>What the compiler says about the sources with what was generated for them, warnings included.</summary>
    public static IEnumerable<Diagnostic> Problems(string source)
    {
        Driver().RunGeneratorsAndUpdateCompilation(Compile(source), out var compilation, out var refusals);
        return refusals.Concat(compilation.GetDiagnostics().Where(static d => d.Severity >= DiagnosticSeverity.Warning && d.Id != "CS8019"));
    }
}
