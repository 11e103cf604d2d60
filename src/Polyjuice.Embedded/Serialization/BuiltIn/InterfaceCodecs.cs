namespace Polyjuice.Embedded.Serialization;

/// <summary>Carries a member of a collection interface's type as the collection that stands for it.</summary>
internal abstract class InterfaceCodec<TInterface, TCollection>(CodecProvider provider, Func<TInterface, TCollection> convert) : IValueCodec<TInterface>
    where TInterface : class
    where TCollection : class, TInterface
{
    private CodecSlot<TCollection> _collection = new(provider);

    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, TInterface value) => _collection.Codec.Write(ref writer, Convert(value));

    public TInterface Read(ref WireReader reader) => _collection.Codec.Read(ref reader);

    public TInterface Copy(TInterface value) => _collection.Codec.Copy(Convert(value));

    private TCollection Convert(TInterface value) => value is null ? null! : value as TCollection ?? convert(value);
}

internal sealed class IEnumerableCodec<T>(CodecProvider provider)
    : InterfaceCodec<IEnumerable<T>, List<T>>(provider, static value => [.. value]);

internal sealed class ICollectionCodec<T>(CodecProvider provider)
    : InterfaceCodec<ICollection<T>, List<T>>(provider, static value => [.. value]);

internal sealed class IListCodec<T>(CodecProvider provider)
    : InterfaceCodec<IList<T>, List<T>>(provider, static value => [.. value]);

internal sealed class IReadOnlyCollectionCodec<T>(CodecProvider provider)
    : InterfaceCodec<IReadOnlyCollection<T>, List<T>>(provider, static value => [.. value]);

internal sealed class IReadOnlyListCodec<T>(CodecProvider provider)
    : InterfaceCodec<IReadOnlyList<T>, List<T>>(provider, static value => [.. value]);

internal sealed class ISetCodec<T>(CodecProvider provider)
    : InterfaceCodec<ISet<T>, HashSet<T>>(provider, static value => [.. value]);

internal sealed class IReadOnlySetCodec<T>(CodecProvider provider)
    : InterfaceCodec<IReadOnlySet<T>, HashSet<T>>(provider, static value => [.. value]);

internal sealed class IDictionaryCodec<TKey, TValue>(CodecProvider provider)
    : InterfaceCodec<IDictionary<TKey, TValue>, Dictionary<TKey, TValue>>(provider, static value => new(value))
    where TKey : notnull;

internal sealed class IReadOnlyDictionaryCodec<TKey, TValue>(CodecProvider provider)
    : InterfaceCodec<IReadOnlyDictionary<TKey, TValue>, Dictionary<TKey, TValue>>(provider, static value => new(value))
    where TKey : notnull;
