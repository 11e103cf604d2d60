using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Polyjuice.Embedded.Generators;

/// <summary>
/// Generates what the embedded host needs of a project: references and calls for its grain interfaces, codecs for its
/// <c>[GenerateSerializer]</c> types, and the manifest that lists them.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class GrainGenerator : IIncrementalGenerator
{
    // Names of the steps, by which tests see what ran again.
    internal const string TypesStep = "Types";
    internal const string InterfacesStep = "Interfaces";
    internal const string ManifestStep = "Manifest";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var assembly = context.CompilationProvider.Select(static (compilation, _) => compilation.AssemblyName ?? "");
        var types = context.SyntaxProvider.ForAttributeWithMetadataName(
            Names.GenerateSerializer, static (node, _) => node is BaseTypeDeclarationSyntax, TypeParser.Parse);
        var interfaces = context.SyntaxProvider.CreateSyntaxProvider(
                static (node, _) => node is InterfaceDeclarationSyntax { BaseList: not null }, InterfaceParser.Parse)
            .Where(static parsed => parsed is not null)
            .Select(static (parsed, _) => parsed!);

        ReportDiagnostics(context, types);
        ReportDiagnostics(context, interfaces);

        // Models leave their diagnostics' positions behind, so that lines moving elsewhere in a file change nothing from here on.
        var typeModels = Models(types).WithTrackingName(TypesStep);
        var interfaceModels = Models(interfaces).WithTrackingName(InterfacesStep);
        context.RegisterSourceOutput(
            typeModels.Where(static type => type.Kind != TypeKindModel.Enum).Combine(assembly),
            static (output, pair) => Add(output, pair.Left.Mangled + ".Codec", CodecEmitter.Emit(pair.Left, pair.Right)));
        context.RegisterSourceOutput(
            interfaceModels.Combine(assembly),
            static (output, pair) => Add(output, pair.Left.Mangled + ".Reference", InterfaceEmitter.Emit(pair.Left, pair.Right)));

        var entries = typeModels.Select(static (type, _) => ManifestEntry.Of(type)).Collect()
            .Combine(interfaceModels.Select(static (type, _) => ManifestEntry.Of(type)).Collect())
            .Select(static (pair, _) => new EquatableArray<ManifestEntry>([.. pair.Left.Concat(pair.Right).OrderBy(static e => e.Statement, StringComparer.Ordinal)]))
            .WithTrackingName(ManifestStep);
        context.RegisterSourceOutput(entries.Combine(assembly), static (output, pair) =>
        {
            if (pair.Left.Count > 0) Add(output, "Manifest", ManifestEmitter.Emit(pair.Left, pair.Right));
        });
    }

    private static IncrementalValuesProvider<T> Models<T>(IncrementalValuesProvider<Parsed<T>> parsed) where T : class, IEquatable<T> =>
        parsed.Where(static p => p.Model is not null).Select(static (p, _) => p.Model!);

    private static void ReportDiagnostics<T>(IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<Parsed<T>> parsed)
        where T : class, IEquatable<T> =>
        context.RegisterSourceOutput(parsed.SelectMany(static (p, _) => p.Diagnostics), static (output, diagnostic) => output.ReportDiagnostic(diagnostic.ToDiagnostic()));

    private static void Add(SourceProductionContext output, string name, string source) =>
        output.AddSource(name + ".g.cs", SourceText.From(source, Encoding.UTF8));
}
