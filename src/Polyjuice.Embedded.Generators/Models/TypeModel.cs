namespace Polyjuice.Embedded.Generators;

internal enum TypeKindModel
{
    Class,
    Struct,
    Enum,
}

internal enum CreateKind
{
    /// <summary><c>new T()</c>.</summary>
    Constructor,

    /// <summary>A constructor without parameters that generated code can't call in the ordinary way.</summary>
    ConstructorAccessor,

    /// <summary>An instance of which no constructor ran.</summary>
    Uninitialized,

    /// <summary>Abstract: only derived classes have instances.</summary>
    Never,
}

/// <summary>A <c>[GenerateSerializer]</c> type.</summary>
/// <param name="Name">As in C#, with type parameters.</param>
/// <param name="UnboundName">As in <c>typeof</c>: without type parameters' names.</param>
/// <param name="Mangled">As part of an identifier.</param>
/// <param name="TypeParameters">"&lt;T, U&gt;", or empty.</param>
/// <param name="UnboundTypeParameters">"&lt;,&gt;", or empty.</param>
/// <param name="Constraints">"where T : …", or empty.</param>
/// <param name="BaseName">The base class, if it has a codec too.</param>
/// <param name="IsAlwaysImmutable">Declared so; holds for derived classes too.</param>
/// <param name="IsExactImmutable">Found so, if <paramref name="ImmutableIf"/> are.</param>
/// <param name="ImmutableIf">Types whose codecs must be immutable.</param>
internal sealed record TypeModel(
    TypeKindModel Kind,
    string Name,
    string UnboundName,
    string Mangled,
    string TypeParameters,
    string UnboundTypeParameters,
    string Constraints,
    string? Alias,
    string? BaseName,
    CreateKind Create,
    bool IsAlwaysImmutable,
    bool IsExactImmutable,
    EquatableArray<string> ImmutableIf,
    EquatableArray<MemberModel> Members);

/// <summary>How generated code reads or sets a member.</summary>
internal enum Access
{
    /// <summary>As any code does.</summary>
    Direct,

    /// <summary>By an unsafe accessor of the (backing) field.</summary>
    Field,

    /// <summary>By an unsafe accessor of the property's method.</summary>
    Method,
}

/// <summary>A member that is carried.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its type as in C#.</param>
/// <param name="FieldName">The field to access, where an accessor needs one.</param>
/// <param name="Wire">How it is written.</param>
/// <param name="IsShared"><c>[Immutable]</c>: never copied.</param>
internal sealed record MemberModel(string Name, string Type, string FieldName, Access Get, Access Set, WireKind Wire, bool IsShared);

/// <summary>How a value is written: by which primitive, or by the codec of its type.</summary>
/// <param name="Primitive">Suffix of the primitive's reader, "Enum", or empty for a codec.</param>
internal readonly record struct WireKind(string Primitive)
{
    public bool IsCodec => Primitive.Length == 0;

    public bool IsEnum => Primitive == "Enum";
}
