using System.Collections.Immutable;

namespace Polyjuice.Embedded.Serialization;

/// <summary>The codecs that every provider knows.</summary>
internal static class BuiltInCodecs
{
    /// <summary>Registers them.</summary>
    public static void Register(CodecProvider provider)
    {
        RegisterValues(provider);
        RegisterCollections(provider);
        RegisterTuples(provider);
        provider.Register<object>(new PolymorphicCodec<object>(provider));
        provider.Register<Exception>(new ExceptionCodec(provider));
    }

    private static void RegisterValues(CodecProvider provider)
    {
        provider.Register(new ByteCodec());
        provider.Register(new SByteCodec());
        provider.Register(new Int16Codec());
        provider.Register(new UInt16Codec());
        provider.Register(new Int32Codec());
        provider.Register(new UInt32Codec());
        provider.Register(new Int64Codec());
        provider.Register(new UInt64Codec());
        provider.Register(new CharCodec());
        provider.Register(new BooleanCodec());
        provider.Register(new SingleCodec());
        provider.Register(new DoubleCodec());
        provider.Register(new DecimalCodec());
        provider.Register(new GuidCodec());
        provider.Register(new DateTimeCodec());
        provider.Register(new DateTimeOffsetCodec());
        provider.Register(new TimeSpanCodec());
        provider.Register(new DateOnlyCodec());
        provider.Register(new TimeOnlyCodec());
        provider.Register(new StringCodec());
        provider.Register(new UriCodec());
        provider.Register(new VersionCodec());
        provider.Register(new NothingCodec());
        provider.Register(new ByteArrayCodec());
    }

    private static void RegisterCollections(CodecProvider provider)
    {
        provider.RegisterGeneric(typeof(List<>), typeof(ListCodec<>));
        provider.RegisterGeneric(typeof(Dictionary<,>), typeof(DictionaryCodec<,>));
        provider.RegisterGeneric(typeof(HashSet<>), typeof(HashSetCodec<>));
        provider.RegisterGeneric(typeof(Queue<>), typeof(QueueCodec<>));
        provider.RegisterGeneric(typeof(Stack<>), typeof(StackCodec<>));
        provider.RegisterGeneric(typeof(SortedSet<>), typeof(SortedSetCodec<>));
        provider.RegisterGeneric(typeof(SortedDictionary<,>), typeof(SortedDictionaryCodec<,>));
        provider.RegisterGeneric(typeof(ImmutableArray<>), typeof(ImmutableArrayCodec<>));
        provider.RegisterGeneric(typeof(ImmutableList<>), typeof(ImmutableListCodec<>));
        provider.RegisterGeneric(typeof(ImmutableQueue<>), typeof(ImmutableQueueCodec<>));
        provider.RegisterGeneric(typeof(ImmutableStack<>), typeof(ImmutableStackCodec<>));
        provider.RegisterGeneric(typeof(ImmutableHashSet<>), typeof(ImmutableHashSetCodec<>));
        provider.RegisterGeneric(typeof(ImmutableDictionary<,>), typeof(ImmutableDictionaryCodec<,>));
        provider.RegisterGeneric(typeof(ImmutableSortedSet<>), typeof(ImmutableSortedSetCodec<>));
        provider.RegisterGeneric(typeof(ImmutableSortedDictionary<,>), typeof(ImmutableSortedDictionaryCodec<,>));
        provider.RegisterGeneric(typeof(IEnumerable<>), typeof(IEnumerableCodec<>));
        provider.RegisterGeneric(typeof(ICollection<>), typeof(ICollectionCodec<>));
        provider.RegisterGeneric(typeof(IList<>), typeof(IListCodec<>));
        provider.RegisterGeneric(typeof(IReadOnlyCollection<>), typeof(IReadOnlyCollectionCodec<>));
        provider.RegisterGeneric(typeof(IReadOnlyList<>), typeof(IReadOnlyListCodec<>));
        provider.RegisterGeneric(typeof(ISet<>), typeof(ISetCodec<>));
        provider.RegisterGeneric(typeof(IReadOnlySet<>), typeof(IReadOnlySetCodec<>));
        provider.RegisterGeneric(typeof(IDictionary<,>), typeof(IDictionaryCodec<,>));
        provider.RegisterGeneric(typeof(IReadOnlyDictionary<,>), typeof(IReadOnlyDictionaryCodec<,>));
    }

    private static void RegisterTuples(CodecProvider provider)
    {
        provider.RegisterGeneric(typeof(Nullable<>), typeof(NullableCodec<>));
        provider.RegisterGeneric(typeof(KeyValuePair<,>), typeof(KeyValuePairCodec<,>));
        provider.RegisterGeneric(typeof(ValueTuple<>), typeof(ValueTupleCodec<>));
        provider.RegisterGeneric(typeof(ValueTuple<,>), typeof(ValueTupleCodec<,>));
        provider.RegisterGeneric(typeof(ValueTuple<,,>), typeof(ValueTupleCodec<,,>));
        provider.RegisterGeneric(typeof(ValueTuple<,,,>), typeof(ValueTupleCodec<,,,>));
        provider.RegisterGeneric(typeof(ValueTuple<,,,,>), typeof(ValueTupleCodec<,,,,>));
        provider.RegisterGeneric(typeof(ValueTuple<,,,,,>), typeof(ValueTupleCodec<,,,,,>));
        provider.RegisterGeneric(typeof(ValueTuple<,,,,,,>), typeof(ValueTupleCodec<,,,,,,>));
        provider.RegisterGeneric(typeof(Tuple<>), typeof(TupleCodec<>));
        provider.RegisterGeneric(typeof(Tuple<,>), typeof(TupleCodec<,>));
        provider.RegisterGeneric(typeof(Tuple<,,>), typeof(TupleCodec<,,>));
        provider.RegisterGeneric(typeof(Tuple<,,,>), typeof(TupleCodec<,,,>));
        provider.RegisterGeneric(typeof(Tuple<,,,,>), typeof(TupleCodec<,,,,>));
        provider.RegisterGeneric(typeof(Tuple<,,,,,>), typeof(TupleCodec<,,,,,>));
        provider.RegisterGeneric(typeof(Tuple<,,,,,,>), typeof(TupleCodec<,,,,,,>));
    }
}
