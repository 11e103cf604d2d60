using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>PJ0004: functions that hold up the silo's engine, because they wait for a task or a thread.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BlockingFunctionAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.Blocking);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        if (access.Body is not { } body) return;
        foreach (var operation in body.Operations)
        {
            if (Wait(operation, known) is { } name && !IsOver(operation, access))
                context.ReportDiagnostic(access.Report(Rules.Blocking, operation, name));
        }
    }

    private static string? Wait(IOperation operation, KnownTypes known)
    {
        if (operation is IPropertyReferenceOperation { Property: { Name: "Result" } property })
            return known.IsTask(property.ContainingType) ? "Result" : null;
        if (operation is not IInvocationOperation { TargetMethod: var method }) return null;
        var isWait = (method.ContainingType.ToDisplayString(), method.Name) switch
        {
            (_, "Wait" or "WaitAll" or "WaitAny") when known.IsTask(method.ContainingType) => true,
            (_, "GetResult") => IsAwaiter(method.ContainingType),
            ("System.Threading.Thread", "Sleep" or "Join") => true,

            // With a bound they may be asked without waiting.
            ("System.Threading.SemaphoreSlim" or "System.Threading.ManualResetEventSlim"
                or "System.Threading.CountdownEvent", "Wait") => method.Parameters.IsEmpty,
            ("System.Threading.WaitHandle", "WaitOne") => method.Parameters.IsEmpty,
            _ => false,
        };
        return isWait ? method.Name : null;
    }

    private static bool IsAwaiter(INamedTypeSymbol type) =>
        type.Name.EndsWith("Awaiter", StringComparison.Ordinal)
        && type.ContainingNamespace.ToDisplayString() == "System.Runtime.CompilerServices";

    // The result of a task that the grain's method has awaited before the access is there already.
    private static bool IsOver(IOperation wait, StateAccess access)
    {
        if (Task(wait) is not { } task || access.Body!.Whole.Declares(task)) return false;
        return access.Invocation.Whole().Descendants().OfType<IAwaitOperation>()
            .Where(awaited => awaited.Syntax.Span.End <= access.Invocation.Syntax.SpanStart)
            .Any(awaited => awaited.Descendants().Any(part => KnownTypes.Is(Variable(part), task)));
    }

    private static ISymbol? Task(IOperation wait) => wait switch
    {
        IPropertyReferenceOperation property => Variable(property.Instance),
        IInvocationOperation { TargetMethod.Name: "GetResult", Instance: IInvocationOperation awaiter } =>
            Variable(awaiter.Instance),
        IInvocationOperation invocation => Variable(invocation.Instance),
        _ => null,
    };

    private static ISymbol? Variable(IOperation? operation) => operation switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        _ => null,
    };
}
