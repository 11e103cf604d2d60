using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Core;

/// <summary>Exceptions on the wire.</summary>
internal static class ExceptionWire
{
    private static readonly IValueCodec<Exception> s_codec = CodecProvider.Shared.Get<Exception>();

    public static void Write(ref WireWriter writer, Exception exception) => s_codec.Write(ref writer, exception);

    public static Exception Read(ref WireReader reader) => s_codec.Read(ref reader);
}
