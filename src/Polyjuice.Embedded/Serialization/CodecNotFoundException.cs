namespace Polyjuice.Embedded.Serialization;

/// <summary>A value's type has no codec, so it can be neither argument, result nor state.</summary>
/// <param name="type">The type.</param>
/// <param name="detail">More about why, a sentence; or <see langword="null"/>.</param>
public sealed class CodecNotFoundException(Type type, string? detail = null)
    : Exception($"Values of type {type} can't be passed between grains or stored: {detail ?? "mark it [GenerateSerializer]."}")
{
    /// <summary>The type without a codec.</summary>
    public Type Type { get; } = type;
}
