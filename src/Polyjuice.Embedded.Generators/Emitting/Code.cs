using System.Globalization;
using System.Text;

namespace Polyjuice.Embedded.Generators;

/// <summary>Pieces of code that several emitters use.</summary>
internal static class Code
{
    public const string Serialization = "global::Polyjuice.Embedded.Serialization";
    public const string Invocation = "global::Polyjuice.Embedded.Invocation";
    public const string Namespace = "PolyjuiceGenerated";
    public const string GeneratedCode = "[global::System.CodeDom.Compiler.GeneratedCode(\"Polyjuice.Embedded.Generators\", \"1\")]";
    public const string Accessor = "[global::System.Runtime.CompilerServices.UnsafeAccessor(global::System.Runtime.CompilerServices.UnsafeAccessorKind.";

    /// <summary>Each assembly has a namespace of its own, because tests see other assemblies' internals.</summary>
    public static string NamespaceOf(string assembly) => $"{Namespace}.A_{Names.Mangle(assembly)}";

    public static string Write(WireKind wire, string value, string codec) =>
        wire.IsCodec ? $"{codec}.Codec.Write(ref writer, {value});"
        : wire.IsEnum ? $"{Serialization}.WireEnums.Write(ref writer, {value});"
        : $"{Serialization}.WirePrimitives.Write(ref writer, {value});";

    public static string Read(WireKind wire, string type, string codec) =>
        wire.IsCodec ? $"{codec}.Codec.Read(ref reader)"
        : wire.IsEnum ? $"{Serialization}.WireEnums.Read<{type}>(ref reader)"
        : $"{Serialization}.WirePrimitives.Read{wire.Primitive}(ref reader)";

    public static string Copy(WireKind wire, string value, string codec, bool isShared) =>
        wire.IsCodec && !isShared ? $"{codec}.Codec.Copy({value})" : value;

    /// <summary>A string literal, or null.</summary>
    public static string Literal(string? value)
    {
        if (value is null) return "null";
        var text = new StringBuilder("\"");
        foreach (var c in value)
        {
            if (c is '"' or '\\') text.Append('\\').Append(c);
            else if (c < ' ' || c > '~') text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
            else text.Append(c);
        }

        return text.Append('"').ToString();
    }

    public static string Literal(bool value) => value ? "true" : "false";

    /// <summary>A member's name as an identifier, whatever keyword it may be.</summary>
    public static string Identifier(string name) => "@" + name;
}
