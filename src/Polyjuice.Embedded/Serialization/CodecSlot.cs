namespace Polyjuice.Embedded.Serialization;

/// <summary>
/// A codec that is looked up at its first use, because types may contain themselves. Keep it in a field that is not readonly.
/// Two threads may both look it up; they find the same.
/// </summary>
/// <typeparam name="T">The codec's type.</typeparam>
/// <param name="provider">Where to look.</param>
public struct CodecSlot<T>(CodecProvider provider)
{
    private IValueCodec<T>? _codec;

    /// <summary>The codec. Throws <see cref="CodecNotFoundException"/> when there is none.</summary>
    public IValueCodec<T> Codec => _codec ??= provider.Get<T>();
}
