using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Simplification;

namespace Polyjuice.Analyzers.CodeFixes;

/// <summary>Marks a grain <c>[Reentrant]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ReentrantFix : CodeFixProvider
{
    private const string Title = "Mark it [Reentrant]";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create("PJ0001");

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        if (root?.FindNode(context.Span).FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } type) return;
        var fix = CodeAction.Create(Title, cancellation => Fix(context.Document, type, cancellation), Title);
        context.RegisterCodeFix(fix, context.Diagnostics);
    }

    private static async Task<Document> Fix(Document document, SyntaxNode type, CancellationToken cancellation)
    {
        var editor = await DocumentEditor.CreateAsync(document, cancellation).ConfigureAwait(false);
        var compilation = editor.SemanticModel.Compilation;
        if (compilation.GetTypeByMetadataName("Orleans.Concurrency.ReentrantAttribute") is not { } reentrant)
            return document;

        var mark = new SyntaxAnnotation();
        var name = editor.Generator.TypeExpression(reentrant).WithAdditionalAnnotations(mark, Simplifier.Annotation);
        editor.AddAttribute(type, editor.Generator.Attribute(name));

        // With the using directive, if there is none.
        var changed = editor.GetChangedDocument();
        return await ImportAdder.AddImportsAsync(changed, mark, cancellationToken: cancellation).ConfigureAwait(false);
    }
}
