using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Polyjuice.Analyzers.Accesses;

/// <summary>A call of <c>PerformRead</c> or <c>PerformUpdate</c>, with the function that is given to it.</summary>
internal sealed class StateAccess
{
    private StateAccess(IInvocationOperation invocation, IOperation function, StateFunction? body)
    {
        Invocation = invocation;
        Function = function;
        Body = body;
    }

    /// <summary>The call.</summary>
    public IInvocationOperation Invocation { get; }

    /// <summary>The function, as it is given: a lambda, a method's name, or any other expression.</summary>
    public IOperation Function { get; }

    /// <summary>What the function does, if that can be seen in the same file.</summary>
    public StateFunction? Body { get; }

    /// <summary>Whether it is <c>PerformRead</c>.</summary>
    public bool IsRead => Invocation.TargetMethod.Name == "PerformRead";

    /// <summary>Where the source says <c>PerformRead</c> or <c>PerformUpdate</c>.</summary>
    public Location Name => ((InvocationExpressionSyntax)Invocation.Syntax).Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.GetLocation(),
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.GetLocation(),
        var name => name.GetLocation(),
    };

    /// <summary>The access that an operation is; none if it is something else.</summary>
    public static StateAccess? Of(IOperation operation, KnownTypes known)
    {
        if (operation is not IInvocationOperation { Syntax: InvocationExpressionSyntax } invocation) return null;
        if (!known.IsAccess(invocation.TargetMethod) || invocation.Arguments.IsEmpty) return null;
        var argument = invocation.Arguments.OrderBy(argument => argument.Parameter?.Ordinal).Last();
        var function = argument.Value.Bare();
        if (function is IDelegateCreationOperation creation) function = creation.Target.Bare();
        return new(invocation, function, StateFunction.Of(function));
    }

    /// <summary>
    /// What is wrong in the function. It is reported where it is, if the function is a lambda; else at the function's
    /// name in the call, because others may use the same one for something else.
    /// </summary>
    public Diagnostic Report(DiagnosticDescriptor rule, IOperation what, params object[] arguments) =>
        Function is IAnonymousFunctionOperation
            ? Diagnostic.Create(rule, what.Syntax.GetLocation(), [Name], arguments)
            : Diagnostic.Create(rule, Function.Syntax.GetLocation(), [Name, what.Syntax.GetLocation()], arguments);
}
