namespace Polyjuice.Embedded.Generators;

/// <summary>A grain interface.</summary>
/// <param name="Name">As in C#.</param>
/// <param name="FullName">As reflection says it.</param>
/// <param name="Mangled">As part of an identifier.</param>
internal sealed record InterfaceModel(string Name, string FullName, string Mangled, EquatableArray<MethodModel> Methods);

internal enum ReturnKind
{
    Void,
    Task,
    TaskOfT,
    ValueTask,
    ValueTaskOfT,
}

/// <summary>A grain interface's method.</summary>
/// <param name="DeclaringInterface">The interface that declares it, as in C#.</param>
/// <param name="PathElement">Its name in caller paths.</param>
/// <param name="Result">The result's type; null without one.</param>
/// <param name="Transaction">The transaction option's number; null without a transaction attribute.</param>
/// <param name="DeclaresAccesses">Whether attributes say what it accesses; what they say is for the runtime.</param>
internal sealed record MethodModel(
    string Name,
    string DeclaringInterface,
    string PathElement,
    ReturnKind Return,
    string? Result,
    EquatableArray<ParameterModel> Parameters,
    int? Transaction,
    bool IsReadOnlyTransaction,
    bool IsAlwaysInterleave,
    bool IsReadOnly,
    bool IsOneWay,
    bool IsRetryOff,
    bool AllowsReconnaissance,
    bool DeclaresAccesses,
    long? TimeoutTicks,
    string AccessSite);

/// <summary>A parameter of a grain method.</summary>
/// <param name="Type">Its type as in C#.</param>
/// <param name="IsToken">The cancellation token, which is not an argument.</param>
/// <param name="IsShared"><c>[Immutable]</c>: never copied.</param>
internal sealed record ParameterModel(string Type, bool IsToken, WireKind Wire, bool IsShared);

/// <summary>What became of a declaration: a model, or reasons why not.</summary>
internal sealed record Parsed<T>(T? Model, EquatableArray<DiagnosticInfo> Diagnostics)
    where T : class, IEquatable<T>;
