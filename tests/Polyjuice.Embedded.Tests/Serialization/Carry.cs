using System.Buffers;
using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Tests.Serialization;

/// <summary>Sends values to where a test can look at them.</summary>
internal static class Carry
{
    public static byte[] Write<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new WireWriter(output);
        CodecProvider.Shared.Get<T>().Write(ref writer, value);
        return output.WrittenSpan.ToArray();
    }

    public static T Read<T>(ReadOnlySpan<byte> bytes)
    {
        var reader = new WireReader(bytes);
        var value = CodecProvider.Shared.Get<T>().Read(ref reader);
        Assert.True(reader.Rest.IsEmpty, "The codec left bytes behind.");
        return value;
    }

    public static T Across<T>(T value) => Read<T>(Write(value));

    public static T Copy<T>(T value) => CodecProvider.Shared.Get<T>().Copy(value);

    /// <summary>Cuts and corrupts a value's bytes in every place: the codec reads something else or says that it can't, and nothing worse.</summary>
    public static void Mangle<T>(T value)
    {
        var bytes = Write(value);
        for (var cut = 0; cut < bytes.Length; cut++) Assert.Throws<WireFormatException>(() => Read<T>(bytes.AsSpan(0, cut)));
        for (var at = 0; at < bytes.Length; at++)
        {
            foreach (var other in (byte[])[0, 1, 2, 3, 0x7f, 0x80, 0xff])
            {
                var mangled = bytes.ToArray();
                mangled[at] = other;
                try
                {
                    var reader = new WireReader(mangled);
                    CodecProvider.Shared.Get<T>().Read(ref reader);
                }
                catch (WireFormatException)
                {
                }
            }
        }
    }
}
