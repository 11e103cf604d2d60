using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>Makes models of grain interfaces' methods.</summary>
internal static class MethodParser
{
    /// <summary>The model, or null after adding to <paramref name="diagnostics"/>.</summary>
    public static MethodModel? Parse(IMethodSymbol method, bool isOverloaded, List<DiagnosticInfo> diagnostics)
    {
        var before = diagnostics.Count;
        var name = method.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);
        var isOneWay = Names.Has(method, Names.OneWay);
        if (method.IsGenericMethod) Report(Diagnostics.GenericMethod, name);
        var (kind, result) = ReturnOf(method.ReturnType);
        if (kind is null || (kind == ReturnKind.Void && !isOneWay)) Report(Diagnostics.ReturnType, name, method.ReturnType.ToDisplayString());
        if (isOneWay && result is not null) Report(Diagnostics.OneWayResult, name);
        if (result is not null) CheckType(result);

        var parameters = new List<ParameterModel>();
        foreach (var parameter in method.Parameters)
        {
            var isToken = parameter.Type is INamedTypeSymbol named && Names.Full(named) == "System.Threading.CancellationToken";
            if (parameter.RefKind != RefKind.None) Report(Diagnostics.RefParameter, name, parameter.Name);
            if (isToken && parameters.Any(static p => p.IsToken)) Report(Diagnostics.TwoTokens, name);
            if (!isToken) CheckType(parameter.Type);
            parameters.Add(new(Names.CSharp(parameter.Type), isToken, WireKinds.Of(parameter.Type), Names.IsImmutable(parameter)));
        }

        var timeout = Names.Argument(method, Names.ResponseTimeout)?.Value as string;
        TimeSpan ticks = default;
        if (timeout is not null && (!TimeSpan.TryParse(timeout, CultureInfo.InvariantCulture, out ticks) || ticks <= TimeSpan.Zero))
            Report(Diagnostics.Timeout, name, timeout);
        var path = PathElement(method, isOverloaded, diagnostics);
        if (diagnostics.Count > before) return null;

        var transaction = Names.Attribute(method, Names.Transaction);
        var isReadOnly = Names.Has(method, Names.ReadOnly);
        return new(
            method.Name,
            Names.CSharp(method.ContainingType),
            path,
            kind!.Value,
            result is null ? null : Names.CSharp(result),
            new([.. parameters]),
            Names.Argument(method, Names.Transaction)?.Value is { } option ? Convert.ToInt32(option, CultureInfo.InvariantCulture) : null,
            transaction is not null && (isReadOnly || transaction.NamedArguments.Any(static a => a is { Key: "ReadOnly", Value.Value: true })),
            Names.Has(method, Names.AlwaysInterleave),
            isReadOnly,
            isOneWay,
            IsRetryOff(method),
            Names.Has(method, Names.Reconnaissance),
            Names.Has(method, Names.Reads) || Names.Has(method, Names.Updates),
            timeout is null ? null : ticks.Ticks,
            Names.Argument(method, Names.AccessSite)?.Value as string ?? "");

        void Report(DiagnosticDescriptor descriptor, params string[] arguments) => diagnostics.Add(DiagnosticInfo.At(method, descriptor, arguments));

        void CheckType(ITypeSymbol type)
        {
            if (WireKinds.Unsupported(type) is { } reason) Report(Diagnostics.ParameterType, name, type.ToDisplayString(), reason);
        }
    }

    private static (ReturnKind?, ITypeSymbol?) ReturnOf(ITypeSymbol type)
    {
        if (type.SpecialType == SpecialType.System_Void) return (ReturnKind.Void, null);
        return type is not INamedTypeSymbol named ? (null, null) : Names.Full(named.OriginalDefinition) switch
        {
            "System.Threading.Tasks.Task" => (ReturnKind.Task, null),
            "System.Threading.Tasks.Task`1" => (ReturnKind.TaskOfT, named.TypeArguments[0]),
            "System.Threading.Tasks.ValueTask" => (ReturnKind.ValueTask, null),
            "System.Threading.Tasks.ValueTask`1" => (ReturnKind.ValueTaskOfT, named.TypeArguments[0]),
            _ => (null, null),
        };
    }

    // Overloads are told apart by their parameters' types: the name stays the same when another overload is declared before.
    private static string PathElement(IMethodSymbol method, bool isOverloaded, List<DiagnosticInfo> diagnostics)
    {
        var type = Names.AliasOf(method.ContainingType, diagnostics) ?? method.ContainingType.Name;
        var alias = Names.AliasOf(method, diagnostics);
        if (alias is not null || !isOverloaded) return $"{type}.{alias ?? method.Name}";
        var parameters = method.Parameters.Select(static p => p.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
        return $"{type}.{method.Name}({string.Join(",", parameters).Replace(" ", "").Replace('<', '[').Replace('>', ']')})";
    }

    private static bool IsRetryOff(IMethodSymbol method) =>
        Names.Argument(method, Names.TransactionRetry) is { Kind: TypedConstantKind.Enum } argument
        && argument.Type!.GetMembers("Never").OfType<IFieldSymbol>().Any(f => Equals(f.ConstantValue, argument.Value));
}
