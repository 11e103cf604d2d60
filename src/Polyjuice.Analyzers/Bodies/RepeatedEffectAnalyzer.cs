using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Bodies;

/// <summary>PJ0010 and PJ0011: what a body does that no abort undoes, and that the next attempt does again.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RepeatedEffectAnalyzer : PolyjuiceAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.RepeatedEffect, Rules.RepeatedAssignment);

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes known)
    {
        // Orleans' own engine runs a body once.
        if (known.TransactionRetry is null) return;
        var bodies = new RepeatedBodies(known);
        var effects = new OutsideEffects(context.Compilation);
        context.RegisterOperationBlockAction(block =>
        {
            if (block.OwningSymbol is not IMethodSymbol method) return;
            if (bodies.InterfaceMethodOf(method) is not { } declared) return;
            foreach (var operation in block.OperationBlocks.SelectMany(part => Run(part, known)))
            {
                if (Find(operation, declared, effects) is { } found) block.ReportDiagnostic(found);
            }
        });
    }

    // What accesses are given is run by them. When other functions run is unknown.
    private static IEnumerable<IOperation> Run(IOperation body, KnownTypes known) =>
        body.Run().SelectMany(operation =>
            StateAccess.Of(operation, known)?.Function is IAnonymousFunctionOperation lambda
                ? lambda.Body.Run().Prepend(operation)
                : [operation]);

    private static Diagnostic? Find(IOperation operation, IMethodSymbol declared, OutsideEffects effects)
    {
        var method = $"{declared.ContainingType.Name}.{declared.Name}";
        return operation switch
        {
            IInvocationOperation call when effects.Has(call.TargetMethod) =>
                Create(Rules.RepeatedEffect, $"{call.TargetMethod.ContainingType.Name}.{call.TargetMethod.Name}"),

            // Done twice, it is the same: a value that is made when it is first needed.
            ICoalesceAssignmentOperation => null,
            IAssignmentOperation assignment when OwnMember(assignment.Target) is { } member =>
                Create(Rules.RepeatedAssignment, member),
            IIncrementOrDecrementOperation increment when OwnMember(increment.Target) is { } member =>
                Create(Rules.RepeatedAssignment, member),
            _ => null,
        };

        Diagnostic Create(DiagnosticDescriptor rule, string what) =>
            Diagnostic.Create(rule, operation.Syntax.GetLocation(), what, method);
    }

    private static string? OwnMember(IOperation target) => target switch
    {
        IFieldReferenceOperation or IPropertyReferenceOperation when IsOwn((IMemberReferenceOperation)target) =>
            ((IMemberReferenceOperation)target).Member.Name,
        ITupleOperation tuple => tuple.Elements.Select(OwnMember).FirstOrDefault(name => name is not null),
        _ => null,
    };

    // Static, or the grain's; not that of an object that is just being made.
    private static bool IsOwn(IMemberReferenceOperation member) =>
        member.Instance is null
            or IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance };
}
