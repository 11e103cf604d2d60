using System.Buffers;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Serialization;

internal static class GrainStateCodec
{
    public static void Validate(Type type) => CodecProvider.Shared.GetUntyped(type);
}

internal sealed class GrainStateCodec<T> : IStateCodec<T> where T : class, new()
{
    public static GrainStateCodec<T> Shared { get; } = new();
    private readonly IValueCodec<T> _codec = CodecProvider.Shared.Get<T>();
    public string Name => "binary";
    public bool IsImmutable => _codec.IsImmutable;
    public T Create() => new();
    public T Copy(T value) => _codec.Copy(value);
    public void Encode(T value, IBufferWriter<byte> output)
    {
        var w = new WireWriter(output);
        _codec.Write(ref w, value);
    }

    public T Decode(ReadOnlySpan<byte> bytes)
    {
        var r = new WireReader(bytes);
        return _codec.Read(ref r);
    }
}
