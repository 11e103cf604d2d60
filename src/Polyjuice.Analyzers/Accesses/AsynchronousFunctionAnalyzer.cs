using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>PJ0003: functions that are not over when they return.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class AsynchronousFunctionAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.Asynchronous);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        if (!ReturnsTask(access.Invocation, known) && !IsAsync(access.Function)) return;
        var name = access.Invocation.TargetMethod.Name;
        context.ReportDiagnostic(Diagnostic.Create(Rules.Asynchronous, access.Name, name));
    }

    // What the access returns is a task of what the function returns.
    private static bool ReturnsTask(IInvocationOperation invocation, KnownTypes known) =>
        invocation.TargetMethod.ReturnType is INamedTypeSymbol { TypeArguments: { Length: 1 } results }
        && known.IsTask(results[0]);

    // One that returns nothing: nobody could tell when it is over.
    private static bool IsAsync(IOperation function) => function switch
    {
        IAnonymousFunctionOperation lambda => lambda.Symbol.IsAsync,
        IMethodReferenceOperation reference => reference.Method.IsAsync,
        _ => false,
    };
}
