namespace Polyjuice.Embedded.Serialization;

/// <summary>The part of every struct's codec that no member of the struct changes. The source generator derives a codec per struct.</summary>
/// <typeparam name="T">The struct.</typeparam>
/// <param name="provider">Finds the codecs of members.</param>
public abstract class StructCodec<T>(CodecProvider provider) : IValueCodec<T>, IMemberCodec
    where T : struct
{
    /// <summary>Finds the codecs of members.</summary>
    protected CodecProvider Provider { get; } = provider;

    /// <summary>Whether nothing that the struct refers to can be changed by anyone.</summary>
    public virtual bool IsExactImmutable => false;

    /// <inheritdoc/>
    public virtual bool IsImmutable => IsExactImmutable;

    Type IMemberCodec.Type => typeof(T);

    /// <inheritdoc/>
    public void Write(ref WireWriter writer, T value)
    {
        // A mark in front, because every value takes a byte or more: that is how the number of a collection's items is judged.
        writer.WriteByte(1);
        WriteMembers(ref writer, ref value);
    }

    /// <inheritdoc/>
    public T Read(ref WireReader reader)
    {
        if (reader.ReadByte() != 1) throw new WireFormatException($"A message does not contain a value of type {typeof(T)} where there must be one.");
        T value = default;
        ReadMembers(ref reader, ref value);
        return value;
    }

    /// <inheritdoc/>
    public T Copy(T value)
    {
        var copy = value;
        if (!IsImmutable) CopyMembers(ref value, ref copy);
        return copy;
    }

    /// <summary>Writes the members.</summary>
    public abstract void WriteMembers(ref WireWriter writer, ref T value);

    /// <summary>Reads what <see cref="WriteMembers"/> wrote.</summary>
    public abstract void ReadMembers(ref WireReader reader, ref T value);

    /// <summary>Replaces what <paramref name="to"/>, a shallow copy, shares with <paramref name="from"/>.</summary>
    public abstract void CopyMembers(ref T from, ref T to);

    /// <inheritdoc/>
    public abstract void Describe(IMemberVisitor visitor);

    object IMemberCodec.Create() => default(T);
}
