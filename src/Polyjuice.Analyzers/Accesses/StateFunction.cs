using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>The code of a function that is given to an access.</summary>
internal sealed class StateFunction
{
    private StateFunction(IOperation whole, IParameterSymbol state)
    {
        Whole = whole;
        State = state;
    }

    /// <summary>All of it, with its parameters.</summary>
    public IOperation Whole { get; }

    /// <summary>The parameter that is the state.</summary>
    public IParameterSymbol State { get; }

    /// <summary>All that it does itself.</summary>
    public IEnumerable<IOperation> Operations => Whole.Run();

    /// <summary>What it returns, at each place where it does.</summary>
    public IEnumerable<IOperation> Returned =>
        Operations.OfType<IReturnOperation>().Select(found => found.ReturnedValue).OfType<IOperation>();

    /// <summary>Of a lambda, a local function or a method of the same file; else none.</summary>
    public static StateFunction? Of(IOperation function) => function switch
    {
        IAnonymousFunctionOperation { Symbol.Parameters: { Length: 1 } parameters } lambda =>
            new(lambda, parameters[0]),
        IMethodReferenceOperation { Method.OriginalDefinition: { Parameters.Length: 1 } method } =>
            BodyOf(method, function) is { } body ? new(body, method.Parameters[0]) : null,
        _ => null,
    };

    /// <summary>Whether an expression is the state, or leads into it by its members.</summary>
    public bool IsOfState(IOperation? expression) => IsOfState(expression, depth: 0);

    /// <summary>Whether it is the state itself.</summary>
    public bool IsState(IOperation expression) =>
        expression.Bare() is IParameterReferenceOperation reference && KnownTypes.Is(reference.Parameter, State);

    private static IOperation? BodyOf(IMethodSymbol method, IOperation use)
    {
        var declaration = method.DeclaringSyntaxReferences.FirstOrDefault();
        return declaration?.SyntaxTree == use.Syntax.SyntaxTree
            ? use.SemanticModel?.GetOperation(declaration.GetSyntax())
            : null;
    }

    private bool IsOfState(IOperation? expression, int depth) => expression.Root() switch
    {
        IParameterReferenceOperation reference => KnownTypes.Is(reference.Parameter, State),

        // Names within names: a few are followed, and a circle is left.
        ILocalReferenceOperation { Local: { Type.IsReferenceType: true } local } when depth < 4 =>
            Origin(local) is { } origin && IsOfState(origin, depth + 1),
        _ => false,
    };

    // What a local variable stands for, if it is given a value once.
    private IOperation? Origin(ILocalSymbol local)
    {
        if (Operations.OfType<IAssignmentOperation>().Any(assignment => IsLocal(assignment.Target, local))) return null;
        foreach (var operation in Operations)
        {
            switch (operation)
            {
                case IVariableDeclaratorOperation declarator when KnownTypes.Is(declarator.Symbol, local):
                    if ((declarator.Initializer ?? (declarator.Parent as IVariableDeclarationOperation)?.Initializer)
                        is { } initializer) return initializer.Value;
                    break;
                case IForEachLoopOperation loop when loop.Locals.Any(each => KnownTypes.Is(each, local)):
                    return loop.Collection;
            }
        }

        return null;
    }

    private static bool IsLocal(IOperation target, ILocalSymbol local) =>
        target is ILocalReferenceOperation reference && KnownTypes.Is(reference.Local, local);
}
