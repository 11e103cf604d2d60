namespace Polyjuice.Embedded.Serialization;

internal sealed class DictionaryCodec<TKey, TValue>(CodecProvider provider) : IValueCodec<Dictionary<TKey, TValue>>
    where TKey : notnull
{
    private CodecSlot<TKey> _key = new(provider);
    private CodecSlot<TValue> _value = new(provider);

    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, Dictionary<TKey, TValue> value)
    {
        writer.WriteCount(value?.Count ?? -1);
        if (value is null) return;
        Comparers.Write(ref writer, value.Comparer);
        var (keys, values) = (_key.Codec, _value.Codec);
        foreach (var (key, item) in value)
        {
            keys.Write(ref writer, key);
            values.Write(ref writer, item);
        }
    }

    public Dictionary<TKey, TValue> Read(ref WireReader reader)
    {
        var count = reader.ReadCount();
        if (count < 0) return null!;
        var value = new Dictionary<TKey, TValue>(count, Comparers.Read<TKey>(ref reader));
        var (keys, values) = (_key.Codec, _value.Codec);
        for (var i = 0; i < count; i++)
        {
            var key = keys.Read(ref reader);
            if (key is null || !value.TryAdd(key, values.Read(ref reader))) throw Comparers.BadKey();
        }

        return value;
    }

    public Dictionary<TKey, TValue> Copy(Dictionary<TKey, TValue> value)
    {
        if (value is null) return null!;
        var (keys, values) = (_key.Codec, _value.Codec);
        if (keys.IsImmutable && values.IsImmutable) return new(value, value.Comparer);
        var copy = new Dictionary<TKey, TValue>(value.Count, value.Comparer);
        foreach (var (key, item) in value) copy.Add(keys.Copy(key), values.Copy(item));
        return copy;
    }
}
