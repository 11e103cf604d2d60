using System.Collections.Immutable;

namespace Polyjuice.Embedded.Serialization;

/// <summary>A collection that also has a comparer, which is carried in front of the items.</summary>
internal abstract class HashedSequenceCodec<TCollection, TItem, TKey>(CodecProvider provider) : SequenceCodec<TCollection, TItem>(provider)
    where TCollection : class, IEnumerable<TItem>
{
    public override bool IsImmutable => AreItemsImmutable;

    public override void Write(ref WireWriter writer, TCollection value)
    {
        writer.WriteByte(value is null ? (byte)0 : (byte)1);
        if (value is null) return;
        Comparers.Write(ref writer, Comparer(value));
        base.Write(ref writer, value);
    }

    public override TCollection Read(ref WireReader reader)
    {
        if (!WirePrimitives.ReadBoolean(ref reader)) return null!;
        var comparer = Comparers.Read<TKey>(ref reader);
        var items = base.Read(ref reader) ?? throw new WireFormatException("A message contains a comparer without a collection.");
        return comparer is null ? items : With(items, comparer);
    }

    protected abstract IEqualityComparer<TKey> Comparer(TCollection value);

    protected abstract TCollection With(TCollection value, IEqualityComparer<TKey> comparer);
}

internal sealed class ImmutableHashSetCodec<T>(CodecProvider provider) : HashedSequenceCodec<ImmutableHashSet<T>, T, T>(provider)
{
    protected override ImmutableHashSet<T> Make(T[] items, ImmutableHashSet<T>? original) => ImmutableHashSet.CreateRange(original?.KeyComparer, items);

    protected override int Count(ImmutableHashSet<T> value) => value.Count;

    protected override IEqualityComparer<T> Comparer(ImmutableHashSet<T> value) => value.KeyComparer;

    protected override ImmutableHashSet<T> With(ImmutableHashSet<T> value, IEqualityComparer<T> comparer) => value.WithComparer(comparer);
}

internal sealed class ImmutableDictionaryCodec<TKey, TValue>(CodecProvider provider)
    : HashedSequenceCodec<ImmutableDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, TKey>(provider)
    where TKey : notnull
{
    protected override ImmutableDictionary<TKey, TValue> Make(KeyValuePair<TKey, TValue>[] items, ImmutableDictionary<TKey, TValue>? original)
    {
        var builder = ImmutableDictionary.CreateBuilder<TKey, TValue>(original?.KeyComparer);
        foreach (var (key, value) in items)
        {
            if (key is null || !builder.TryAdd(key, value)) throw Comparers.BadKey();
        }

        return builder.ToImmutable();
    }

    protected override int Count(ImmutableDictionary<TKey, TValue> value) => value.Count;

    protected override IEqualityComparer<TKey> Comparer(ImmutableDictionary<TKey, TValue> value) => value.KeyComparer;

    protected override ImmutableDictionary<TKey, TValue> With(ImmutableDictionary<TKey, TValue> value, IEqualityComparer<TKey> comparer) =>
        value.WithComparers(comparer);
}

/// <summary>A sorted collection, whose order must be its items' own.</summary>
internal abstract class SortedSequenceCodec<TCollection, TItem, TKey>(CodecProvider provider) : SequenceCodec<TCollection, TItem>(provider)
    where TCollection : class, IEnumerable<TItem>
{
    public override void Write(ref WireWriter writer, TCollection value)
    {
        if (value is not null && Comparer(value) is var comparer && !ReferenceEquals(comparer, Comparer<TKey>.Default))
            throw new InvalidOperationException($"A collection that sorts its {typeof(TKey)} keys by {comparer.GetType()} can't be carried.");
        base.Write(ref writer, value!);
    }

    protected abstract IComparer<TKey> Comparer(TCollection value);
}

internal sealed class SortedSetCodec<T>(CodecProvider provider) : SortedSequenceCodec<SortedSet<T>, T, T>(provider)
{
    protected override SortedSet<T> Make(T[] items, SortedSet<T>? original) => new(items, original?.Comparer);

    protected override int Count(SortedSet<T> value) => value.Count;

    protected override IComparer<T> Comparer(SortedSet<T> value) => value.Comparer;
}

internal sealed class SortedDictionaryCodec<TKey, TValue>(CodecProvider provider)
    : SortedSequenceCodec<SortedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, TKey>(provider)
    where TKey : notnull
{
    protected override SortedDictionary<TKey, TValue> Make(KeyValuePair<TKey, TValue>[] items, SortedDictionary<TKey, TValue>? original)
    {
        var made = new SortedDictionary<TKey, TValue>(original?.Comparer);
        foreach (var (key, value) in items)
        {
            if (key is null || !made.TryAdd(key, value)) throw Comparers.BadKey();
        }

        return made;
    }

    protected override int Count(SortedDictionary<TKey, TValue> value) => value.Count;

    protected override IComparer<TKey> Comparer(SortedDictionary<TKey, TValue> value) => value.Comparer;
}

internal sealed class ImmutableSortedSetCodec<T>(CodecProvider provider) : SortedSequenceCodec<ImmutableSortedSet<T>, T, T>(provider)
{
    public override bool IsImmutable => AreItemsImmutable;

    protected override ImmutableSortedSet<T> Make(T[] items, ImmutableSortedSet<T>? original) => ImmutableSortedSet.CreateRange(original?.KeyComparer, items);

    protected override int Count(ImmutableSortedSet<T> value) => value.Count;

    protected override IComparer<T> Comparer(ImmutableSortedSet<T> value) => value.KeyComparer;
}

internal sealed class ImmutableSortedDictionaryCodec<TKey, TValue>(CodecProvider provider)
    : SortedSequenceCodec<ImmutableSortedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, TKey>(provider)
    where TKey : notnull
{
    public override bool IsImmutable => AreItemsImmutable;

    protected override ImmutableSortedDictionary<TKey, TValue> Make(
        KeyValuePair<TKey, TValue>[] items, ImmutableSortedDictionary<TKey, TValue>? original)
    {
        var builder = ImmutableSortedDictionary.CreateBuilder<TKey, TValue>(original?.KeyComparer);
        foreach (var (key, value) in items)
        {
            if (key is null || !builder.TryAdd(key, value)) throw Comparers.BadKey();
        }

        return builder.ToImmutable();
    }

    protected override int Count(ImmutableSortedDictionary<TKey, TValue> value) => value.Count;

    protected override IComparer<TKey> Comparer(ImmutableSortedDictionary<TKey, TValue> value) => value.KeyComparer;
}
