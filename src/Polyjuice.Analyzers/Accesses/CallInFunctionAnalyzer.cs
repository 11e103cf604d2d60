using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>PJ0005: functions that call grains, or access a state themselves.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class CallInFunctionAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.CallInFunction);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        if (access.Body is not { } body) return;
        foreach (var call in body.Operations.OfType<IInvocationOperation>())
        {
            if (IsGrainCall(call, known) || known.IsAccess(call.TargetMethod))
                context.ReportDiagnostic(access.Report(Rules.CallInFunction, call, call.TargetMethod.Name));
        }
    }

    // What a grain calls of itself is no message.
    private static bool IsGrainCall(IInvocationOperation call, KnownTypes known) =>
        call.Instance is { } instance
        && instance.Bare() is not IInstanceReferenceOperation
        && known.IsGrainInterface(call.TargetMethod.ContainingType);
}
