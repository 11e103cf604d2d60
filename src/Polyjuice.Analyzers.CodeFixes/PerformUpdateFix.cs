using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;

namespace Polyjuice.Analyzers.CodeFixes;

/// <summary>Makes an update of a read that changes the state.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class PerformUpdateFix : CodeFixProvider
{
    private const string Title = "Use PerformUpdate";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create("PJ0006");

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (var found in context.Diagnostics)
        {
            // The analyzer says where the name is.
            if (found.AdditionalLocations.Count == 0) continue;
            var span = found.AdditionalLocations[0].SourceSpan;
            var fix = CodeAction.Create(Title, cancellation => Fix(context.Document, span.Start, cancellation), Title);
            context.RegisterCodeFix(fix, found);
        }

        return Task.CompletedTask;
    }

    private static async Task<Document> Fix(Document document, int position, CancellationToken cancellation)
    {
        var root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        if (root is null) return document;
        var read = root.FindToken(position);
        var update = SyntaxFactory.Identifier("PerformUpdate").WithTriviaFrom(read);
        return document.WithSyntaxRoot(root.ReplaceToken(read, update));
    }
}
