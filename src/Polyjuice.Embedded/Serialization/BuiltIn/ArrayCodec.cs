namespace Polyjuice.Embedded.Serialization;

internal sealed class ArrayCodec<T>(CodecProvider provider) : IValueCodec<T[]>
{
    private CodecSlot<T> _item = new(provider);

    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, T[] value)
    {
        writer.WriteCount(value?.Length ?? -1);
        if (value is null) return;
        var codec = _item.Codec;
        foreach (var item in value) codec.Write(ref writer, item);
    }

    public T[] Read(ref WireReader reader)
    {
        var count = reader.ReadCount();
        if (count < 0) return null!;
        var codec = _item.Codec;
        var value = new T[count];
        for (var i = 0; i < count; i++) value[i] = codec.Read(ref reader);
        return value;
    }

    public T[] Copy(T[] value)
    {
        if (value is null) return null!;
        var codec = _item.Codec;
        var copy = new T[value.Length];
        if (codec.IsImmutable) Array.Copy(value, copy, copy.Length);
        else for (var i = 0; i < copy.Length; i++) copy[i] = codec.Copy(value[i]);
        return copy;
    }
}

internal sealed class ByteArrayCodec : IValueCodec<byte[]>
{
    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, byte[] value)
    {
        writer.WriteByte(value is null ? (byte)0 : (byte)1);
        if (value is not null) writer.WriteBytes(value);
    }

    public byte[] Read(ref WireReader reader) => WirePrimitives.ReadBoolean(ref reader) ? reader.ReadBytes().ToArray() : null!;

    public byte[] Copy(byte[] value) => value is null ? null! : [.. value];
}
