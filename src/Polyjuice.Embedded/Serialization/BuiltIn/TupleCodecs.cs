namespace Polyjuice.Embedded.Serialization;

internal sealed class NullableCodec<T>(CodecProvider provider) : IValueCodec<T?>
    where T : struct
{
    private CodecSlot<T> _value = new(provider);

    public bool IsImmutable => _value.Codec.IsImmutable;

    public void Write(ref WireWriter writer, T? value)
    {
        WirePrimitives.Write(ref writer, value.HasValue);
        if (value is { } present) _value.Codec.Write(ref writer, present);
    }

    public T? Read(ref WireReader reader) => WirePrimitives.ReadBoolean(ref reader) ? _value.Codec.Read(ref reader) : null;

    public T? Copy(T? value) => value is { } present ? _value.Codec.Copy(present) : null;
}

internal sealed class KeyValuePairCodec<TKey, TValue>(CodecProvider provider) : IValueCodec<KeyValuePair<TKey, TValue>>
{
    private CodecSlot<TKey> _key = new(provider);
    private CodecSlot<TValue> _value = new(provider);

    public bool IsImmutable => _key.Codec.IsImmutable && _value.Codec.IsImmutable;

    public void Write(ref WireWriter writer, KeyValuePair<TKey, TValue> value)
    {
        _key.Codec.Write(ref writer, value.Key);
        _value.Codec.Write(ref writer, value.Value);
    }

    public KeyValuePair<TKey, TValue> Read(ref WireReader reader) => new(_key.Codec.Read(ref reader), _value.Codec.Read(ref reader));

    public KeyValuePair<TKey, TValue> Copy(KeyValuePair<TKey, TValue> value) => new(_key.Codec.Copy(value.Key), _value.Codec.Copy(value.Value));
}

internal sealed class ValueTupleCodec<T1>(CodecProvider provider) : IValueCodec<ValueTuple<T1>>
{
    private CodecSlot<T1> _item1 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
    }

    public ValueTuple<T1> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader));

    public ValueTuple<T1> Copy(ValueTuple<T1> value) => new(
        _item1.Codec.Copy(value.Item1));
}

internal sealed class ValueTupleCodec<T1, T2>(CodecProvider provider) : IValueCodec<ValueTuple<T1, T2>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1, T2> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
    }

    public ValueTuple<T1, T2> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader));

    public ValueTuple<T1, T2> Copy(ValueTuple<T1, T2> value) => new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2));
}

internal sealed class ValueTupleCodec<T1, T2, T3>(CodecProvider provider) : IValueCodec<ValueTuple<T1, T2, T3>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1, T2, T3> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
    }

    public ValueTuple<T1, T2, T3> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader));

    public ValueTuple<T1, T2, T3> Copy(ValueTuple<T1, T2, T3> value) => new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3));
}

internal sealed class ValueTupleCodec<T1, T2, T3, T4>(CodecProvider provider) : IValueCodec<ValueTuple<T1, T2, T3, T4>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1, T2, T3, T4> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
    }

    public ValueTuple<T1, T2, T3, T4> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader));

    public ValueTuple<T1, T2, T3, T4> Copy(ValueTuple<T1, T2, T3, T4> value) => new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4));
}

internal sealed class ValueTupleCodec<T1, T2, T3, T4, T5>(CodecProvider provider) : IValueCodec<ValueTuple<T1, T2, T3, T4, T5>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);
    private CodecSlot<T5> _item5 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable && _item5.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1, T2, T3, T4, T5> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
        _item5.Codec.Write(ref writer, value.Item5);
    }

    public ValueTuple<T1, T2, T3, T4, T5> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader),
        _item5.Codec.Read(ref reader));

    public ValueTuple<T1, T2, T3, T4, T5> Copy(ValueTuple<T1, T2, T3, T4, T5> value) => new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4),
        _item5.Codec.Copy(value.Item5));
}

internal sealed class ValueTupleCodec<T1, T2, T3, T4, T5, T6>(CodecProvider provider) : IValueCodec<ValueTuple<T1, T2, T3, T4, T5, T6>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);
    private CodecSlot<T5> _item5 = new(provider);
    private CodecSlot<T6> _item6 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable && _item5.Codec.IsImmutable && _item6.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1, T2, T3, T4, T5, T6> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
        _item5.Codec.Write(ref writer, value.Item5);
        _item6.Codec.Write(ref writer, value.Item6);
    }

    public ValueTuple<T1, T2, T3, T4, T5, T6> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader),
        _item5.Codec.Read(ref reader),
        _item6.Codec.Read(ref reader));

    public ValueTuple<T1, T2, T3, T4, T5, T6> Copy(ValueTuple<T1, T2, T3, T4, T5, T6> value) => new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4),
        _item5.Codec.Copy(value.Item5),
        _item6.Codec.Copy(value.Item6));
}

internal sealed class ValueTupleCodec<T1, T2, T3, T4, T5, T6, T7>(CodecProvider provider) : IValueCodec<ValueTuple<T1, T2, T3, T4, T5, T6, T7>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);
    private CodecSlot<T5> _item5 = new(provider);
    private CodecSlot<T6> _item6 = new(provider);
    private CodecSlot<T7> _item7 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable && _item5.Codec.IsImmutable && _item6.Codec.IsImmutable && _item7.Codec.IsImmutable;

    public void Write(ref WireWriter writer, ValueTuple<T1, T2, T3, T4, T5, T6, T7> value)
    {
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
        _item5.Codec.Write(ref writer, value.Item5);
        _item6.Codec.Write(ref writer, value.Item6);
        _item7.Codec.Write(ref writer, value.Item7);
    }

    public ValueTuple<T1, T2, T3, T4, T5, T6, T7> Read(ref WireReader reader) => new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader),
        _item5.Codec.Read(ref reader),
        _item6.Codec.Read(ref reader),
        _item7.Codec.Read(ref reader));

    public ValueTuple<T1, T2, T3, T4, T5, T6, T7> Copy(ValueTuple<T1, T2, T3, T4, T5, T6, T7> value) => new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4),
        _item5.Codec.Copy(value.Item5),
        _item6.Codec.Copy(value.Item6),
        _item7.Codec.Copy(value.Item7));
}

internal sealed class TupleCodec<T1>(CodecProvider provider) : IValueCodec<Tuple<T1>>
{
    private CodecSlot<T1> _item1 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
    }

    public Tuple<T1> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader));

    public Tuple<T1> Copy(Tuple<T1> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1));
}

internal sealed class TupleCodec<T1, T2>(CodecProvider provider) : IValueCodec<Tuple<T1, T2>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1, T2> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
    }

    public Tuple<T1, T2> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader));

    public Tuple<T1, T2> Copy(Tuple<T1, T2> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2));
}

internal sealed class TupleCodec<T1, T2, T3>(CodecProvider provider) : IValueCodec<Tuple<T1, T2, T3>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1, T2, T3> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
    }

    public Tuple<T1, T2, T3> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader));

    public Tuple<T1, T2, T3> Copy(Tuple<T1, T2, T3> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3));
}

internal sealed class TupleCodec<T1, T2, T3, T4>(CodecProvider provider) : IValueCodec<Tuple<T1, T2, T3, T4>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1, T2, T3, T4> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
    }

    public Tuple<T1, T2, T3, T4> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader));

    public Tuple<T1, T2, T3, T4> Copy(Tuple<T1, T2, T3, T4> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4));
}

internal sealed class TupleCodec<T1, T2, T3, T4, T5>(CodecProvider provider) : IValueCodec<Tuple<T1, T2, T3, T4, T5>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);
    private CodecSlot<T5> _item5 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable && _item5.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1, T2, T3, T4, T5> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
        _item5.Codec.Write(ref writer, value.Item5);
    }

    public Tuple<T1, T2, T3, T4, T5> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader),
        _item5.Codec.Read(ref reader));

    public Tuple<T1, T2, T3, T4, T5> Copy(Tuple<T1, T2, T3, T4, T5> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4),
        _item5.Codec.Copy(value.Item5));
}

internal sealed class TupleCodec<T1, T2, T3, T4, T5, T6>(CodecProvider provider) : IValueCodec<Tuple<T1, T2, T3, T4, T5, T6>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);
    private CodecSlot<T5> _item5 = new(provider);
    private CodecSlot<T6> _item6 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable && _item5.Codec.IsImmutable && _item6.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1, T2, T3, T4, T5, T6> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
        _item5.Codec.Write(ref writer, value.Item5);
        _item6.Codec.Write(ref writer, value.Item6);
    }

    public Tuple<T1, T2, T3, T4, T5, T6> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader),
        _item5.Codec.Read(ref reader),
        _item6.Codec.Read(ref reader));

    public Tuple<T1, T2, T3, T4, T5, T6> Copy(Tuple<T1, T2, T3, T4, T5, T6> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4),
        _item5.Codec.Copy(value.Item5),
        _item6.Codec.Copy(value.Item6));
}

internal sealed class TupleCodec<T1, T2, T3, T4, T5, T6, T7>(CodecProvider provider) : IValueCodec<Tuple<T1, T2, T3, T4, T5, T6, T7>>
{
    private CodecSlot<T1> _item1 = new(provider);
    private CodecSlot<T2> _item2 = new(provider);
    private CodecSlot<T3> _item3 = new(provider);
    private CodecSlot<T4> _item4 = new(provider);
    private CodecSlot<T5> _item5 = new(provider);
    private CodecSlot<T6> _item6 = new(provider);
    private CodecSlot<T7> _item7 = new(provider);

    public bool IsImmutable => _item1.Codec.IsImmutable && _item2.Codec.IsImmutable && _item3.Codec.IsImmutable && _item4.Codec.IsImmutable && _item5.Codec.IsImmutable && _item6.Codec.IsImmutable && _item7.Codec.IsImmutable;

    public void Write(ref WireWriter writer, Tuple<T1, T2, T3, T4, T5, T6, T7> value)
    {
        WirePrimitives.Write(ref writer, value is not null);
        if (value is null) return;
        _item1.Codec.Write(ref writer, value.Item1);
        _item2.Codec.Write(ref writer, value.Item2);
        _item3.Codec.Write(ref writer, value.Item3);
        _item4.Codec.Write(ref writer, value.Item4);
        _item5.Codec.Write(ref writer, value.Item5);
        _item6.Codec.Write(ref writer, value.Item6);
        _item7.Codec.Write(ref writer, value.Item7);
    }

    public Tuple<T1, T2, T3, T4, T5, T6, T7> Read(ref WireReader reader) => !WirePrimitives.ReadBoolean(ref reader) ? null! : new(
        _item1.Codec.Read(ref reader),
        _item2.Codec.Read(ref reader),
        _item3.Codec.Read(ref reader),
        _item4.Codec.Read(ref reader),
        _item5.Codec.Read(ref reader),
        _item6.Codec.Read(ref reader),
        _item7.Codec.Read(ref reader));

    public Tuple<T1, T2, T3, T4, T5, T6, T7> Copy(Tuple<T1, T2, T3, T4, T5, T6, T7> value) => value is null ? null! : new(
        _item1.Codec.Copy(value.Item1),
        _item2.Codec.Copy(value.Item2),
        _item3.Codec.Copy(value.Item3),
        _item4.Codec.Copy(value.Item4),
        _item5.Codec.Copy(value.Item5),
        _item6.Codec.Copy(value.Item6),
        _item7.Codec.Copy(value.Item7));
}
