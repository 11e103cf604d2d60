using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>
/// PJ0009: accesses whose task is thrown away. The compiler says so itself (CS4014) of statements in asynchronous
/// methods.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnobservedAccessAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.Unobserved);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        var isLost = access.Invocation.Parent switch
        {
            IExpressionStatementOperation statement => !IsInAsync(statement, context.ContainingSymbol),
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            var parent => IsIgnored(parent),
        };
        if (!isLost) return;
        var name = access.Invocation.TargetMethod.Name;
        context.ReportDiagnostic(Diagnostic.Create(Rules.Unobserved, access.Name, name));
    }

    // By Orleans' extension of tasks.
    private static bool IsIgnored(IOperation? parent)
    {
        while (parent is IConversionOperation or IArgumentOperation) parent = parent.Parent;
        return parent is IInvocationOperation { TargetMethod: { Name: "Ignore", IsExtensionMethod: true } };
    }

    private static bool IsInAsync(IOperation operation, ISymbol method)
    {
        for (var parent = operation.Parent; parent is not null; parent = parent.Parent)
        {
            if (parent is IAnonymousFunctionOperation lambda) return lambda.Symbol.IsAsync;
            if (parent is ILocalFunctionOperation function) return function.Symbol.IsAsync;
        }

        return method is IMethodSymbol { IsAsync: true };
    }
}
