using System.Text;
using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>Names of symbols, and what attributes they have.</summary>
internal static class Names
{
    public const string GenerateSerializer = "Orleans.GenerateSerializerAttribute";
    public const string Id = "Orleans.IdAttribute";
    public const string Immutable = "Orleans.ImmutableAttribute";
    public const string Alias = "Orleans.AliasAttribute";
    public const string Addressable = "Orleans.Runtime.IAddressable";
    public const string Transaction = "Orleans.TransactionAttribute";
    public const string AlwaysInterleave = "Orleans.Concurrency.AlwaysInterleaveAttribute";
    public const string ReadOnly = "Orleans.Concurrency.ReadOnlyAttribute";
    public const string OneWay = "Orleans.Concurrency.OneWayAttribute";
    public const string ConcurrencyImmutable = "Orleans.Concurrency.ImmutableAttribute";
    public const string ResponseTimeout = "Orleans.ResponseTimeoutAttribute";
    public const string TransactionRetry = "Polyjuice.TransactionRetryAttribute";
    public const string Reconnaissance = "Polyjuice.ReconnaissanceAttribute";
    public const string Reads = "Polyjuice.ReadsAttribute";
    public const string Updates = "Polyjuice.UpdatesAttribute";
    public const string AccessSite = "Polyjuice.AccessSiteAttribute";

    /// <summary>As in C#, without nullability, which generated code does not depend on.</summary>
    public static string CSharp(ITypeSymbol type) =>
        type.TypeKind == TypeKind.Dynamic ? "object" : type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    /// <summary>"Bank.IAccount" of a type, as <see cref="Type.FullName"/> has it.</summary>
    public static string Full(INamedTypeSymbol type)
    {
        var name = type.MetadataName;
        for (var outer = type.ContainingType; outer is not null; outer = outer.ContainingType) name = outer.MetadataName + "+" + name;
        return type.ContainingNamespace is { IsGlobalNamespace: false } space ? space.ToDisplayString() + "." + name : name;
    }

    /// <summary>A full name as part of an identifier; different names stay different.</summary>
    public static string Mangle(string name)
    {
        var mangled = new StringBuilder(name.Length);
        foreach (var c in name)
        {
            _ = c switch
            {
                '_' => mangled.Append("__"),
                '.' => mangled.Append('_'),
                _ when char.IsLetterOrDigit(c) => mangled.Append(c),
                _ => mangled.Append("_x").Append(((int)c).ToString("x")).Append('_'),
            };
        }

        return mangled.ToString();
    }

    public static AttributeData? Attribute(ISymbol symbol, string fullName)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass is { } type && Full(type) == fullName) return attribute;
        }

        return null;
    }

    /// <summary>The first argument of an attribute's constructor.</summary>
    public static TypedConstant? Argument(ISymbol symbol, string attribute) =>
        Attribute(symbol, attribute) is { ConstructorArguments: { Length: > 0 } arguments } ? arguments[0] : null;

    public static bool Has(ISymbol symbol, string fullName) => Attribute(symbol, fullName) is not null;

    public static bool IsImmutable(ISymbol symbol) => Has(symbol, Immutable) || Has(symbol, ConcurrencyImmutable);

    public static bool IsGrainInterface(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Interface } named
        && (Full(named) == Addressable || named.AllInterfaces.Any(static i => Full(i) == Addressable));

    /// <summary>The alias, and whether it is well-formed.</summary>
    public static string? AliasOf(ISymbol symbol, ICollection<DiagnosticInfo> diagnostics)
    {
        if (Argument(symbol, Alias)?.Value is not string alias) return null;
        if (alias.Length > 0 && !alias.Any(static c => char.IsWhiteSpace(c) || "<>[],".IndexOf(c) >= 0)) return alias;
        diagnostics.Add(DiagnosticInfo.At(symbol, Diagnostics.Alias, symbol.ToDisplayString(), alias));
        return null;
    }

    /// <summary>Whether any code of the same assembly can name the type.</summary>
    public static bool IsVisible(INamedTypeSymbol type)
    {
        for (var t = type; t is not null; t = t.ContainingType)
        {
            if (t.IsFileLocal || t.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal)
                return false;
        }

        return true;
    }
}
