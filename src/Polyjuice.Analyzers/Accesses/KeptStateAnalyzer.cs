using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>PJ0007: functions that assign the state, or a collection of it, to what outlives them.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class KeptStateAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.KeptState);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        if (access.Body is not { } body) return;
        foreach (var assignment in body.Operations.OfType<IAssignmentOperation>())
        {
            if (assignment is not (ISimpleAssignmentOperation or ICoalesceAssignmentOperation)) continue;
            if (!MutableState.Is(assignment.Value, body) || !IsOutside(assignment.Target, body)) continue;
            var (what, where) = (assignment.Value.Syntax.ToString(), assignment.Target.Syntax.ToString());
            context.ReportDiagnostic(access.Report(Rules.KeptState, assignment, what, where));
        }
    }

    private static bool IsOutside(IOperation target, StateFunction body) => target.Root() switch
    {
        IInstanceReferenceOperation => true,
        IMemberReferenceOperation { Instance: null } => true,
        ILocalReferenceOperation local => !body.Whole.Declares(local.Local),
        IParameterReferenceOperation parameter => !body.Whole.Declares(parameter.Parameter),
        _ => false,
    };
}
