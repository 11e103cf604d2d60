namespace Polyjuice.Embedded.Serialization;

/// <summary>A codec for values whose type is known only when running.</summary>
internal abstract class UntypedCodec
{
    /// <summary>The codec's type.</summary>
    public abstract Type Type { get; }

    /// <summary>Writes a value of <see cref="Type"/>.</summary>
    public abstract void Write(ref WireWriter writer, object value);

    /// <summary>Reads a value of <see cref="Type"/>.</summary>
    public abstract object? Read(ref WireReader reader);

    /// <summary>Copies a value of <see cref="Type"/>.</summary>
    public abstract object Copy(object value);
}

/// <inheritdoc/>
internal sealed class UntypedCodec<T>(IValueCodec<T> codec) : UntypedCodec
{
    /// <inheritdoc/>
    public override Type Type => typeof(T);

    /// <inheritdoc/>
    public override void Write(ref WireWriter writer, object value) => codec.Write(ref writer, (T)value);

    /// <inheritdoc/>
    public override object? Read(ref WireReader reader) => codec.Read(ref reader);

    /// <inheritdoc/>
    public override object Copy(object value) => codec.Copy((T)value)!;
}
