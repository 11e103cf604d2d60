using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>An analyzer of each <c>PerformRead</c> and <c>PerformUpdate</c>.</summary>
public abstract class AccessAnalyzer : PolyjuiceAnalyzer
{
    private protected sealed override void Register(CompilationStartAnalysisContext context, KnownTypes known) =>
        context.RegisterOperationAction(
            operation =>
            {
                if (StateAccess.Of(operation.Operation, known) is { } access) Analyze(operation, access, known);
            },
            OperationKind.Invocation);

    private protected abstract void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known);
}
