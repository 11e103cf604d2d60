using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace Polyjuice.Analyzers.Tests;

/// <summary>
/// Code that an analyzer looks at. What it must say is marked: <c>{|PJ0001:here|}</c>; it must say nothing else.
/// </summary>
internal static class Compiled
{
    /// <summary>Looks at a file of code, beside <see cref="GrainCode.Shared"/>.</summary>
    public static Task<ImmutableArray<Diagnostic>> IsJudgedAsync<TAnalyzer>(string code)
        where TAnalyzer : DiagnosticAnalyzer, new() =>
        JudgeAsync<TAnalyzer>(Project(GrainCode.Usings + Marked.Of(code).Code, References.All), code);

    /// <summary>Looks at the members of a grain that has a transactional state, <c>purse</c>.</summary>
    public static Task<ImmutableArray<Diagnostic>> IsJudgedInGrainAsync<TAnalyzer>(string members)
        where TAnalyzer : DiagnosticAnalyzer, new() => IsJudgedAsync<TAnalyzer>(GrainCode.Grain(members));

    /// <summary>Looks at code that can use .NET alone.</summary>
    public static Task<ImmutableArray<Diagnostic>> IsJudgedWithoutOrleansAsync<TAnalyzer>(string code)
        where TAnalyzer : DiagnosticAnalyzer, new() =>
        JudgeAsync<TAnalyzer>(Project(GrainCode.NetUsings + Marked.Of(code).Code, References.Net, shared: ""), code);

    /// <summary>Looks at code, and at what a fix makes of it.</summary>
    public static async Task IsFixedAsync<TAnalyzer, TFix>(string code, string fixedCode)
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new()
    {
        var project = Project(Marked.Of(code).Code, References.All);
        var found = Assert.Single(await JudgeAsync<TAnalyzer>(project, code));
        var document = project.Documents.First();
        CodeAction? action = null;
        var context = new CodeFixContext(document, found, (offered, _) => action = offered, CancellationToken.None);
        await new TFix().RegisterCodeFixesAsync(context);
        Assert.NotNull(action);

        var operations = await action.GetOperationsAsync(CancellationToken.None);
        var changed = operations.OfType<ApplyChangesOperation>().Single().ChangedSolution.GetProject(project.Id)!;
        Assert.Equal(fixedCode, (await changed.Documents.First().GetTextAsync()).ToString());
        await JudgeAsync<TAnalyzer>(changed, fixedCode);
    }

    private static Project Project(
        string code,
        IReadOnlyList<MetadataReference> references,
        string shared = GrainCode.Shared)
    {
        var options = new CSharpCompilationOptions(
            OutputKind.DynamicallyLinkedLibrary,
            nullableContextOptions: NullableContextOptions.Enable);
        return new AdhocWorkspace()
            .AddProject("Grains", LanguageNames.CSharp)
            .WithParseOptions(new CSharpParseOptions(LanguageVersion.Latest))
            .WithCompilationOptions(options)
            .WithMetadataReferences(references)
            .AddDocument("Grain.cs", SourceText.From(code)).Project
            .AddDocument("Shared.cs", SourceText.From(shared)).Project;
    }

    private static async Task<ImmutableArray<Diagnostic>> JudgeAsync<TAnalyzer>(Project project, string marked)
        where TAnalyzer : DiagnosticAnalyzer, new()
    {
        var compilation = (await project.GetCompilationAsync())!;
        Assert.Empty(compilation.GetDiagnostics().Where(found => found.Severity == DiagnosticSeverity.Error));

        // AD0001, an analyzer's own exception, would be among what is found.
        var analysis = compilation.WithAnalyzers([new TAnalyzer()]);
        var all = await analysis.GetAnalyzerDiagnosticsAsync();
        ImmutableArray<Diagnostic> found = [.. all.OrderBy(one => one.Location.SourceSpan.Start)];
        var text = (await project.Documents.First().GetTextAsync()).ToString();
        var (code, expected) = Marked.Of(marked);
        var start = text.Length - code.Length;
        Assert.Equal(expected, found.Select(one => Found(one, text, start)));
        return found;
    }

    private static Finding Found(Diagnostic found, string text, int start)
    {
        var span = found.Location.SourceSpan;
        return found.Location.SourceTree?.FilePath.EndsWith("Grain.cs", StringComparison.Ordinal) == true
            ? new(found.Id, span.Start - start, text.Substring(span.Start, span.Length))
            : throw new InvalidOperationException($"Reported elsewhere: {found}");
    }
}
