using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>PJ0006: functions given to <c>PerformRead</c> that change the state.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ChangingReadAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.ChangingRead);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        if (!access.IsRead || access.Body is not { } body) return;
        foreach (var operation in body.Operations)
        {
            if (StateChange.Targets(operation).Any(body.IsOfState))
                context.ReportDiagnostic(access.Report(Rules.ChangingRead, operation));
        }
    }
}
