using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>
/// PJ0008: what an access has returned of the state is changed, and not used after that. To change a copy on purpose,
/// and to answer with it, is fine.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ChangedCopyAnalyzer : AccessAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.ChangedCopy);

    private protected override void Analyze(OperationAnalysisContext context, StateAccess access, KnownTypes known)
    {
        if (access.Body is not { } body || Awaited(access.Invocation) is not { } copy) return;
        if (!body.Returned.Any() || !body.Returned.All(returned => MutableState.Is(returned, body))) return;
        var isNamed = copy.Parent is IVariableInitializerOperation { Parent: IVariableDeclaratorOperation };
        var changes = isNamed
            ? ChangesOf(((IVariableDeclaratorOperation)copy.Parent!.Parent!).Symbol, copy.Whole())
            : copy.Whole().Descendants().Where(operation => Changes(operation, root => root == copy));
        foreach (var change in changes)
            context.ReportDiagnostic(Diagnostic.Create(Rules.ChangedCopy, change.Syntax.GetLocation()));
    }

    // What is awaited is the access's task, whatever is configured of that.
    private static IOperation? Awaited(IOperation task)
    {
        var parent = task.Parent;
        if (parent is IInvocationOperation { TargetMethod.Name: "ConfigureAwait" }) parent = parent.Parent;
        return parent is IAwaitOperation ? parent : null;
    }

    private static IEnumerable<IOperation> ChangesOf(ILocalSymbol copy, IOperation whole)
    {
        var uses = whole.Descendants().OfType<ILocalReferenceOperation>()
            .Where(use => KnownTypes.Is(use.Local, copy))
            .ToArray();
        var changes = whole.Descendants()
            .Where(operation => Changes(operation, root => root is ILocalReferenceOperation use && uses.Contains(use)))
            .ToArray();
        if (changes.Length == 0) return [];

        // The last change that is followed by a use is as good as used, and so is every one before it. A loop may come
        // back to a use before it.
        var others = uses.Where(use => !changes.Any(change => change.Syntax.Span.Contains(use.Syntax.Span))).ToArray();
        var last = others.Length == 0 ? 0 : others.Max(use => use.Syntax.SpanStart);
        return changes.Where(change =>
            change.Syntax.SpanStart > last && IsStatement(change) && (others.Length == 0 || !IsInLoop(change)));
    }

    // What a change answers may be all that is wanted of it: Remove of a set.
    private static bool IsStatement(IOperation change) => change.Parent is IExpressionStatementOperation;

    private static bool IsInLoop(IOperation operation)
    {
        for (var parent = operation.Parent; parent is not null; parent = parent.Parent)
        {
            if (parent is ILoopOperation) return true;
        }

        return false;
    }

    private static bool Changes(IOperation operation, Func<IOperation?, bool> isCopy) =>
        StateChange.Targets(operation).Any(target => isCopy(target.Root()));
}
