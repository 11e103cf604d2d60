using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>Tells how values of a type are written.</summary>
internal static class WireKinds
{
    public static WireKind Of(ITypeSymbol type) => new(type.SpecialType switch
    {
        SpecialType.System_Boolean => "Boolean",
        SpecialType.System_Byte => "Byte",
        SpecialType.System_SByte => "SByte",
        SpecialType.System_Int16 => "Int16",
        SpecialType.System_UInt16 => "UInt16",
        SpecialType.System_Int32 => "Int32",
        SpecialType.System_UInt32 => "UInt32",
        SpecialType.System_Int64 => "Int64",
        SpecialType.System_UInt64 => "UInt64",
        SpecialType.System_Char => "Char",
        SpecialType.System_Single => "Single",
        SpecialType.System_Double => "Double",
        SpecialType.System_Decimal => "Decimal",
        SpecialType.System_String => "String",
        SpecialType.System_DateTime => "DateTime",
        _ when type.TypeKind == TypeKind.Enum => "Enum",
        _ => type is INamedTypeSymbol named && Names.Full(named) is "System.Guid" or "System.TimeSpan" or "System.DateTimeOffset" ? type.Name : "",
    });

    /// <summary>Why no codec can exist for a type; null if one may.</summary>
    public static string? Unsupported(ITypeSymbol type) => type switch
    {
        { IsRefLikeType: true } => "it lives on the stack",
        { TypeKind: TypeKind.Pointer or TypeKind.FunctionPointer } => "it is a pointer",
        { TypeKind: TypeKind.Delegate } => "it is a delegate",
        IArrayTypeSymbol { Rank: > 1 } => "it is an array of several dimensions; use an array of arrays",
        IArrayTypeSymbol array => Unsupported(array.ElementType),
        INamedTypeSymbol named when Names.Full(named) is "System.Threading.Tasks.Task" or "System.Threading.Tasks.Task`1"
            or "System.Threading.CancellationToken" => "it means something only where it was made",
        INamedTypeSymbol { TypeArguments.Length: > 0 } named => named.TypeArguments.Select(Unsupported).FirstOrDefault(static reason => reason is not null),
        _ => null,
    };
}
