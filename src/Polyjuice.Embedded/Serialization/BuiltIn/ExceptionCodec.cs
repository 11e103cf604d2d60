namespace Polyjuice.Embedded.Serialization;

/// <summary>
/// Carries exceptions. One whose class is <c>[GenerateSerializer]</c> keeps its members; any other arrives as its own class when
/// that has a public constructor (message, inner exception), else as <see cref="UnavailableExceptionFallbackException"/>. Message, stack trace
/// and inner exceptions always arrive.
/// </summary>
internal sealed class ExceptionCodec(CodecProvider provider) : ClassCodec<Exception>(provider)
{
    private const byte ByCodec = 0;
    private const byte ByConstructor = 1;
    private const byte Aggregate = 2;
    private const byte Fallback = 3;

    /// <summary>Nobody changes an exception after it was thrown, and a copy would lose what only its class knows.</summary>
    public override bool IsExactImmutable => true;

    /// <inheritdoc/>
    public override bool IsImmutable => true;

    public override void WriteMembers(ref WireWriter writer, Exception value)
    {
        writer.WriteString(ExceptionParts.MessageOf(value));
        writer.WriteString(value.StackTrace);
        writer.WriteVarInt(value.HResult);
        Write(ref writer, value.InnerException!);
    }

    public override void ReadMembers(ref WireReader reader, Exception value)
    {
        var message = reader.ReadString();
        var stack = reader.ReadString();
        var code = WirePrimitives.ReadInt32(ref reader);
        ExceptionParts.Set(value, message, stack, code, Read(ref reader));
    }

    public override void CopyMembers(Exception from, Exception to) =>
        ExceptionParts.Set(to, ExceptionParts.MessageOf(from), from.StackTrace, from.HResult, from.InnerException);

    public override Exception Create() => new();

    public override void Describe(IMemberVisitor visitor)
    {
        // What every exception has is no member that anybody declared.
    }

    protected override Exception CopyDerived(Exception value) => value;

    protected override void WriteDerived(ref WireWriter writer, Exception value)
    {
        var type = value.GetType();
        if (value is AggregateException aggregate)
        {
            writer.WriteByte(Aggregate);
            writer.WriteCount(aggregate.InnerExceptions.Count);
            foreach (var inner in aggregate.InnerExceptions) Write(ref writer, inner);
        }
        else if (Provider.HasOwnCodec(type))
        {
            writer.WriteByte(ByCodec);
            base.WriteDerived(ref writer, value);
            return;
        }
        else
        {
            writer.WriteByte(ExceptionParts.HasPlainConstructor(type) ? ByConstructor : Fallback);
            writer.WriteString(Provider.Names.NameOf(type));
        }

        WriteMembers(ref writer, value);
    }

    protected override Exception ReadDerived(ref WireReader reader)
    {
        Exception value;
        switch (reader.ReadByte())
        {
            case ByCodec:
                return base.ReadDerived(ref reader);
            case Aggregate:
                var inner = new Exception[Math.Max(reader.ReadCount(), 0)];
                for (var i = 0; i < inner.Length; i++) inner[i] = Read(ref reader) ?? throw new WireFormatException("A message contains an inner exception that is null.");
                value = new AggregateException(inner);
                break;
            case ByConstructor:
                value = ExceptionParts.Construct(Provider.Names.TypeOf(reader.ReadString() ?? ""));
                break;
            case Fallback:
                value = new UnavailableExceptionFallbackException { ExceptionType = reader.ReadString() ?? "" };
                break;
            default:
                throw new WireFormatException("A message does not contain an exception where there must be one.");
        }

        ReadMembers(ref reader, value);
        return value;
    }
}

/// <summary>A member or result whose type is an exception class without a codec of its own.</summary>
internal sealed class DerivedExceptionCodec<T>(CodecProvider provider) : IValueCodec<T>
    where T : Exception
{
    private CodecSlot<Exception> _exception = new(provider);

    public bool IsImmutable => true;

    public void Write(ref WireWriter writer, T value) => _exception.Codec.Write(ref writer, value);

    public T Read(ref WireReader reader) => _exception.Codec.Read(ref reader) switch
    {
        null => null!,
        T value => value,
        var other => throw new WireFormatException($"A message contains a {other.GetType()} where there must be a {typeof(T)}."),
    };

    public T Copy(T value) => value;
}
