namespace Polyjuice.Embedded.Serialization;

/// <summary>A codec for values that nobody can change.</summary>
internal abstract class ImmutableCodec<T> : IValueCodec<T>
{
    /// <inheritdoc/>
    public bool IsImmutable => true;

    /// <inheritdoc/>
    public abstract void Write(ref WireWriter writer, T value);

    /// <inheritdoc/>
    public abstract T Read(ref WireReader reader);

    /// <inheritdoc/>
    public T Copy(T value) => value;
}
