using System.Runtime.InteropServices;

namespace Polyjuice.Embedded.Serialization;

internal sealed class ListCodec<T>(CodecProvider provider) : IValueCodec<List<T>>
{
    private CodecSlot<T> _item = new(provider);

    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, List<T> value)
    {
        writer.WriteCount(value?.Count ?? -1);
        if (value is null) return;
        var codec = _item.Codec;
        foreach (var item in CollectionsMarshal.AsSpan(value)) codec.Write(ref writer, item);
    }

    public List<T> Read(ref WireReader reader)
    {
        var count = reader.ReadCount();
        if (count < 0) return null!;
        var codec = _item.Codec;
        var value = new List<T>(count);
        for (var i = 0; i < count; i++) value.Add(codec.Read(ref reader));
        return value;
    }

    public List<T> Copy(List<T> value)
    {
        if (value is null) return null!;
        var codec = _item.Codec;
        if (codec.IsImmutable) return [.. value];
        var copy = new List<T>(value.Count);
        foreach (var item in CollectionsMarshal.AsSpan(value)) copy.Add(codec.Copy(item));
        return copy;
    }
}
