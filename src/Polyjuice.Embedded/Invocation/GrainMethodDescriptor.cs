using System.Reflection;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Invocation;

/// <summary>What the generator knows of one grain interface method. Immutable; one instance per method.</summary>
public sealed class GrainMethodDescriptor
{
    /// <summary>The interface's full name; with <see cref="MethodName"/> and <see cref="Ordinal"/> the method's identity on the wire.</summary>
    public required string InterfaceName { get; init; }

    /// <summary>The interface's type.</summary>
    public required Type InterfaceType { get; init; }

    /// <summary>The method's name.</summary>
    public required string MethodName { get; init; }

    /// <summary>Number of the method within its interface, in declaration order, inherited interfaces first.</summary>
    public required int Ordinal { get; init; }

    /// <summary>As an element of transactions' caller paths: "IAccount.Deposit", the interface's short name and the method's.</summary>
    public required GrainMethod PathElement { get; init; }

    /// <summary>The method's transaction attribute, or <see langword="null"/>.</summary>
    public Orleans.TransactionOption? Transaction { get; init; }

    /// <summary>Declared read-only by its transaction attribute.</summary>
    public bool IsReadOnlyTransaction { get; init; }

    /// <summary><c>[AlwaysInterleave]</c>.</summary>
    public bool IsAlwaysInterleave { get; init; }

    /// <summary><c>[ReadOnly]</c>: may interleave with other read-only calls.</summary>
    public bool IsReadOnly { get; init; }

    /// <summary><c>[OneWay]</c>: the caller gets no answer.</summary>
    public bool IsOneWay { get; init; }

    /// <summary><c>[ResponseTimeout]</c>, or <see langword="null"/> for the host's default.</summary>
    public TimeSpan? ResponseTimeout { get; init; }

    /// <summary>Whether <c>[TransactionRetry(Never)]</c> switches automatic retry off.</summary>
    public bool IsRetryOff { get; init; }

    /// <summary>Whether <c>[Reconnaissance]</c> lets the transactions that it starts be run dry first.</summary>
    public bool AllowsReconnaissance { get; init; }

    /// <summary>Finds the method, if attributes of it declare what it accesses; <see langword="null"/> otherwise.</summary>
    public Func<MethodInfo>? DeclaredBy { get; init; }

    /// <summary>The types of its parameters, if it is transactional, for traces of calls; <see langword="null"/> otherwise.</summary>
    public Func<Type[]>? ParameterTypes { get; init; }

    /// <summary>Makes an empty call, to read its arguments into.</summary>
    public required Func<Invokable> Create { get; init; }
}
