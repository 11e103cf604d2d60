namespace Polyjuice.Embedded.Serialization;

internal sealed class HashSetCodec<T>(CodecProvider provider) : IValueCodec<HashSet<T>>
{
    private CodecSlot<T> _item = new(provider);

    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, HashSet<T> value)
    {
        writer.WriteCount(value?.Count ?? -1);
        if (value is null) return;
        Comparers.Write(ref writer, value.Comparer);
        var codec = _item.Codec;
        foreach (var item in value) codec.Write(ref writer, item);
    }

    public HashSet<T> Read(ref WireReader reader)
    {
        var count = reader.ReadCount();
        if (count < 0) return null!;
        var value = new HashSet<T>(count, Comparers.Read<T>(ref reader));
        var codec = _item.Codec;
        for (var i = 0; i < count; i++)
        {
            if (!value.Add(codec.Read(ref reader))) throw Comparers.BadKey();
        }

        return value;
    }

    public HashSet<T> Copy(HashSet<T> value)
    {
        if (value is null) return null!;
        var codec = _item.Codec;
        if (codec.IsImmutable) return new(value, value.Comparer);
        var copy = new HashSet<T>(value.Count, value.Comparer);
        foreach (var item in value) copy.Add(codec.Copy(item));
        return copy;
    }
}
