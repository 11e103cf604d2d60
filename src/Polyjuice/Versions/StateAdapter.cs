using System.Buffers;
using Polyjuice.Contracts;

namespace Polyjuice.Versions;

/// <summary>
/// A state codec without its type parameter, for the parts of the engine that handle states of all types.
/// </summary>
internal abstract class StateAdapter
{
    public abstract string CodecName { get; }

    public abstract Type StateType { get; }

    public abstract object Create();

    public abstract void Encode(object value, IBufferWriter<byte> output);

    public abstract object Decode(ReadOnlySpan<byte> bytes);
}

/// <inheritdoc/>
internal sealed class StateAdapter<T>(IStateCodec<T> codec) : StateAdapter where T : class
{
    public IStateCodec<T> Codec { get; } = codec;

    public override string CodecName => Codec.Name;

    public override Type StateType => typeof(T);

    public override object Create() => Codec.Create();

    public override void Encode(object value, IBufferWriter<byte> output) => Codec.Encode((T)value, output);

    public override object Decode(ReadOnlySpan<byte> bytes) => Codec.Decode(bytes);
}
