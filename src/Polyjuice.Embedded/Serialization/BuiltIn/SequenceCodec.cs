namespace Polyjuice.Embedded.Serialization;

/// <summary>A collection that is its items in order, and is made from them.</summary>
internal abstract class SequenceCodec<TCollection, TItem>(CodecProvider provider) : IValueCodec<TCollection>
    where TCollection : IEnumerable<TItem>
{
    private CodecSlot<TItem> _item = new(provider);

    public virtual bool IsImmutable => false;

    protected bool AreItemsImmutable => _item.Codec.IsImmutable;

    public virtual void Write(ref WireWriter writer, TCollection value)
    {
        if (IsNull(value))
        {
            writer.WriteCount(-1);
            return;
        }

        writer.WriteCount(Count(value));
        var codec = _item.Codec;
        foreach (var item in value) codec.Write(ref writer, item);
    }

    public virtual TCollection Read(ref WireReader reader)
    {
        var count = reader.ReadCount();
        if (count < 0) return default!;
        var codec = _item.Codec;
        var items = new TItem[count];
        for (var i = 0; i < count; i++) items[i] = codec.Read(ref reader);
        return Make(items, default);
    }

    public TCollection Copy(TCollection value)
    {
        if (IsNull(value) || IsImmutable) return value;
        var codec = _item.Codec;
        var items = new TItem[Count(value)];
        var i = 0;
        foreach (var item in value) items[i++] = codec.Copy(item);
        return Make(items, value);
    }

    /// <summary>A collection of these items, in the order in which <see cref="Write"/> met them; for a copy, like its original otherwise.</summary>
    protected abstract TCollection Make(TItem[] items, TCollection? original);

    protected abstract int Count(TCollection value);

    protected virtual bool IsNull(TCollection value) => value is null;
}
