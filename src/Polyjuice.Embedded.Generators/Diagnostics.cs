using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>What the generator refuses.</summary>
internal static class Diagnostics
{
    public static readonly DiagnosticDescriptor ReturnType = New("PJG001", "Return type of a grain method",
        "'{0}' returns {1}; a grain method returns Task, Task<T>, ValueTask or ValueTask<T> (or, if it is [OneWay], void)");

    public static readonly DiagnosticDescriptor RefParameter = New("PJG002", "By-reference parameter of a grain method",
        "Parameter '{1}' of '{0}' is ref, out or in; arguments of grain methods are passed by value");

    public static readonly DiagnosticDescriptor GenericMethod = New("PJG003", "Generic grain method",
        "'{0}' is generic; grain methods can't be");

    public static readonly DiagnosticDescriptor GenericInterface = New("PJG004", "Generic grain interface",
        "'{0}' is generic; grain interfaces can't be");

    public static readonly DiagnosticDescriptor Inaccessible = New("PJG005", "Type that generated code can't see",
        "'{0}' must be public or internal, as must the types that contain it, because generated code names it");

    public static readonly DiagnosticDescriptor NotAMethod = New("PJG006", "Member of a grain interface that is no method",
        "'{0}' is not an instance method; grain interfaces have nothing else");

    public static readonly DiagnosticDescriptor TwoTokens = New("PJG007", "Two cancellation tokens",
        "'{0}' has more than one CancellationToken parameter");

    public static readonly DiagnosticDescriptor DuplicateId = New("PJG008", "Duplicate [Id]",
        "'{0}' and '{1}' of '{2}' have the same [Id({3})]");

    public static readonly DiagnosticDescriptor Member = New("PJG009", "Member that can't be carried",
        "'{0}' has an [Id] but can't be carried: {1}");

    public static readonly DiagnosticDescriptor OneWayResult = New("PJG010", "One-way method with a result",
        "'{0}' is [OneWay] and has a result, which nobody would get");

    public static readonly DiagnosticDescriptor Timeout = New("PJG011", "Malformed response timeout",
        "'{0}' has [ResponseTimeout(\"{1}\")], which is not a positive time span like \"00:00:30\"");

    public static readonly DiagnosticDescriptor Alias = New("PJG012", "Malformed alias",
        "The alias '{1}' of '{0}' is empty or contains white space or one of < > [ ] ,");

    public static readonly DiagnosticDescriptor Type = New("PJG013", "Type that can't have a codec",
        "'{0}' can't be [GenerateSerializer]: {1}");

    public static readonly DiagnosticDescriptor ParameterType = New("PJG014", "Type that can't be passed to or from a grain",
        "'{0}' passes {1}, which can't be sent: {2}");

    public static readonly IReadOnlyDictionary<string, DiagnosticDescriptor> ById = new[]
    {
        ReturnType, RefParameter, GenericMethod, GenericInterface, Inaccessible, NotAMethod, TwoTokens, DuplicateId, Member,
        OneWayResult, Timeout, Alias, Type, ParameterType,
    }.ToDictionary(static d => d.Id);

    private static DiagnosticDescriptor New(string id, string title, string message) =>
        new(id, title, message, "Polyjuice.Grains", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
