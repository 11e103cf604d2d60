using System.Runtime.CompilerServices;

namespace Polyjuice.Embedded.Serialization;

/// <summary>
/// The part of every class's codec that no member of the class changes: nulls, and instances of derived classes, which are
/// carried under their types' names. A value is a tree: an object that is reachable twice arrives twice, and one that contains
/// itself is refused. The source generator derives a codec per class.
/// </summary>
/// <typeparam name="T">The class.</typeparam>
/// <param name="provider">Finds the codecs of members and derived classes.</param>
public abstract class ClassCodec<T>(CodecProvider provider) : IValueCodec<T>, IMemberCodec
    where T : class
{
    private const byte Null = 0;
    private const byte Exact = 1;
    private const byte Derived = 2;

    /// <summary>Finds the codecs of members and derived classes.</summary>
    protected CodecProvider Provider { get; } = provider;

    /// <summary>Whether instances of exactly this class can't be changed by anyone.</summary>
    public virtual bool IsExactImmutable => false;

    /// <summary>Whether instances of this class and of any class derived from it can't be changed by anyone.</summary>
    public virtual bool IsImmutable => typeof(T).IsSealed && IsExactImmutable;

    Type IMemberCodec.Type => typeof(T);

    /// <inheritdoc/>
    public void Write(ref WireWriter writer, T value)
    {
        if (value is null)
        {
            writer.WriteByte(Null);
        }
        else if (value.GetType() == typeof(T))
        {
            if (!RuntimeHelpers.TryEnsureSufficientExecutionStack()) throw TooDeep();
            writer.WriteByte(Exact);
            WriteMembers(ref writer, value);
        }
        else
        {
            writer.WriteByte(Derived);
            WriteDerived(ref writer, value);
        }
    }

    /// <inheritdoc/>
    public T Read(ref WireReader reader)
    {
        switch (reader.ReadByte())
        {
            case Null:
                return null!;
            case Exact:
                if (!RuntimeHelpers.TryEnsureSufficientExecutionStack()) throw new WireFormatException($"A message nests values of type {typeof(T)} too deeply.");
                var value = Create();
                ReadMembers(ref reader, value);
                return value;
            case Derived:
                return ReadDerived(ref reader);
            default:
                throw new WireFormatException($"A message does not contain a value of type {typeof(T)} where there must be one.");
        }
    }

    /// <inheritdoc/>
    public T Copy(T value)
    {
        if (value is null) return null!;
        if (value.GetType() != typeof(T)) return CopyDerived(value);
        if (IsExactImmutable) return value;
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack()) throw TooDeep();
        var copy = Create();
        CopyMembers(value, copy);
        return copy;
    }

    /// <summary>Writes what this class and its base classes declare.</summary>
    public abstract void WriteMembers(ref WireWriter writer, T value);

    /// <summary>Reads what <see cref="WriteMembers"/> wrote.</summary>
    public abstract void ReadMembers(ref WireReader reader, T value);

    /// <summary>Copies what this class and its base classes declare.</summary>
    public abstract void CopyMembers(T from, T to);

    /// <summary>An instance whose members are about to be set.</summary>
    public abstract T Create();

    object IMemberCodec.Create() => Create();

    /// <summary>Tells of the members that this class and its base classes declare.</summary>
    public abstract void Describe(IMemberVisitor visitor);

    /// <summary>Writes an instance of a derived class.</summary>
    protected virtual void WriteDerived(ref WireWriter writer, T value)
    {
        var type = value.GetType();
        writer.WriteString(Provider.Names.NameOf(type));
        Provider.GetUntyped(type).Write(ref writer, value);
    }

    /// <summary>Reads what <see cref="WriteDerived"/> wrote.</summary>
    protected virtual T ReadDerived(ref WireReader reader)
    {
        var type = Provider.Names.TypeOf(reader.ReadString() ?? "");
        if (!type.IsAssignableTo(typeof(T))) throw new WireFormatException($"A message contains a {type} where there must be a {typeof(T)}.");
        return (T)Provider.GetUntyped(type).Read(ref reader)!;
    }

    /// <summary>Copies an instance of a derived class.</summary>
    protected virtual T CopyDerived(T value) => (T)Provider.GetUntyped(value.GetType()).Copy(value);

    private static InvalidOperationException TooDeep() =>
        new($"A value of type {typeof(T)} contains itself, or is nested too deeply, so it can't be copied or sent.");
}
