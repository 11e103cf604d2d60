namespace Polyjuice.Embedded.Serialization;

/// <summary>Carries whatever has a codec under its type's name: members of type <see cref="object"/>, of interfaces and of abstract classes.</summary>
internal sealed class PolymorphicCodec<T>(CodecProvider provider) : IValueCodec<T>
    where T : class
{
    public bool IsImmutable => false;

    public void Write(ref WireWriter writer, T value)
    {
        if (value is null)
        {
            writer.WriteString(null);
            return;
        }

        var type = TypeOf(value);
        var codec = provider.GetUntyped(type);
        writer.WriteString(provider.Names.NameOf(type));
        codec.Write(ref writer, value);
    }

    public T Read(ref WireReader reader)
    {
        if (reader.ReadString() is not { } name) return null!;
        var type = provider.Names.TypeOf(name);
        return type != typeof(object) && provider.GetUntyped(type).Read(ref reader) is T value
            ? value
            : throw new WireFormatException($"A message contains a {type} where there must be a {typeof(T)}.");
    }

    public T Copy(T value) => value is null || value.GetType() == typeof(object) ? value! : (T)provider.GetUntyped(TypeOf(value)).Copy(value);

    private static Type TypeOf(T value) => value switch
    {
        Invocation.GrainReference reference => reference.InterfaceType,
        _ when value.GetType() == typeof(object) => throw new CodecNotFoundException(typeof(object), "a bare object carries nothing."),
        _ => value.GetType(),
    };
}
