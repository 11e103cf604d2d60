using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Polyjuice.Docs.Tests;

/// <summary>The engine's sources, as the compiler understands them.</summary>
internal static class EngineCode
{
    public const string Folder = "src/Polyjuice/";

    private static readonly Lazy<CSharpCompilation> s_compilation = new(Compile);

    public static CSharpCompilation Compilation => s_compilation.Value;

    public static IEnumerable<SyntaxTree> Sources =>
        Compilation.SyntaxTrees.Where(static tree => tree.FilePath.Length > 0);

    public static string PlaceOf(SyntaxNode node) =>
        $"{node.SyntaxTree.FilePath}:{node.GetLocation().GetLineSpan().StartLinePosition.Line + 1}";

    private static CSharpCompilation Compile()
    {
        var options = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Latest);
        var trees = SourceFiles.In(Folder).AsParallel().AsOrdered()
            .Select(file => CSharpSyntaxTree.ParseText(Repository.Read(file), options, file)).ToList();

        // As the SDK imports them.
        string[] imported =
        [
            "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Threading",
            "System.Threading.Tasks",
        ];
        trees.Add(CSharpSyntaxTree.ParseText(
            string.Concat(imported.Select(static name => $"global using {name};")), options));

        // The assemblies of this process are those that the engine is compiled against; it has itself as sources.
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) != "Polyjuice.dll")
            .Select(static path => MetadataReference.CreateFromFile(path));
        return CSharpCompilation.Create(
            "Polyjuice", trees, references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
    }
}
