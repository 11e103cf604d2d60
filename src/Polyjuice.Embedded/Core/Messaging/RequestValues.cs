using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Core;

/// <summary>Request contexts on the wire.</summary>
internal static class RequestValues
{
    private static readonly IValueCodec<object?> s_codec = CodecProvider.Shared.Get<object?>();

    public static void Write(ref WireWriter writer, Dictionary<string, object?> values)
    {
        writer.WriteVarUInt((ulong)values.Count);
        foreach (var (key, value) in values)
        {
            writer.WriteString(key);
            s_codec.Write(ref writer, value);
        }
    }

    public static Dictionary<string, object?> Read(ref WireReader reader)
    {
        var values = new Dictionary<string, object?>(StringComparer.Ordinal);
        for (var count = reader.ReadVarUInt(); count > 0; count--)
        {
            var key = reader.ReadString()!;
            values[key] = s_codec.Read(ref reader);
        }

        return values;
    }

    /// <summary>A copy for a callee in the same silo, whose values must not be the caller's own.</summary>
    public static Dictionary<string, object?>? Copy(Dictionary<string, object?>? values)
    {
        if (values is null) return null;
        var copy = new Dictionary<string, object?>(values.Count, StringComparer.Ordinal);
        foreach (var (key, value) in values) copy[key] = s_codec.Copy(value);
        return copy;
    }
}
