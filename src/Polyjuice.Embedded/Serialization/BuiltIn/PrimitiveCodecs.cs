namespace Polyjuice.Embedded.Serialization;

// The types that generated code writes without a codec need one too where they are elements, keys or type arguments.

internal sealed class ByteCodec : ImmutableCodec<byte>
{
    public override void Write(ref WireWriter writer, byte value) => WirePrimitives.Write(ref writer, value);

    public override byte Read(ref WireReader reader) => WirePrimitives.ReadByte(ref reader);
}

internal sealed class SByteCodec : ImmutableCodec<sbyte>
{
    public override void Write(ref WireWriter writer, sbyte value) => WirePrimitives.Write(ref writer, value);

    public override sbyte Read(ref WireReader reader) => WirePrimitives.ReadSByte(ref reader);
}

internal sealed class Int16Codec : ImmutableCodec<short>
{
    public override void Write(ref WireWriter writer, short value) => WirePrimitives.Write(ref writer, value);

    public override short Read(ref WireReader reader) => WirePrimitives.ReadInt16(ref reader);
}

internal sealed class UInt16Codec : ImmutableCodec<ushort>
{
    public override void Write(ref WireWriter writer, ushort value) => WirePrimitives.Write(ref writer, value);

    public override ushort Read(ref WireReader reader) => WirePrimitives.ReadUInt16(ref reader);
}

internal sealed class Int32Codec : ImmutableCodec<int>
{
    public override void Write(ref WireWriter writer, int value) => WirePrimitives.Write(ref writer, value);

    public override int Read(ref WireReader reader) => WirePrimitives.ReadInt32(ref reader);
}

internal sealed class UInt32Codec : ImmutableCodec<uint>
{
    public override void Write(ref WireWriter writer, uint value) => WirePrimitives.Write(ref writer, value);

    public override uint Read(ref WireReader reader) => WirePrimitives.ReadUInt32(ref reader);
}

internal sealed class Int64Codec : ImmutableCodec<long>
{
    public override void Write(ref WireWriter writer, long value) => WirePrimitives.Write(ref writer, value);

    public override long Read(ref WireReader reader) => WirePrimitives.ReadInt64(ref reader);
}

internal sealed class UInt64Codec : ImmutableCodec<ulong>
{
    public override void Write(ref WireWriter writer, ulong value) => WirePrimitives.Write(ref writer, value);

    public override ulong Read(ref WireReader reader) => WirePrimitives.ReadUInt64(ref reader);
}

internal sealed class CharCodec : ImmutableCodec<char>
{
    public override void Write(ref WireWriter writer, char value) => WirePrimitives.Write(ref writer, value);

    public override char Read(ref WireReader reader) => WirePrimitives.ReadChar(ref reader);
}

internal sealed class BooleanCodec : ImmutableCodec<bool>
{
    public override void Write(ref WireWriter writer, bool value) => WirePrimitives.Write(ref writer, value);

    public override bool Read(ref WireReader reader) => WirePrimitives.ReadBoolean(ref reader);
}

internal sealed class SingleCodec : ImmutableCodec<float>
{
    public override void Write(ref WireWriter writer, float value) => WirePrimitives.Write(ref writer, value);

    public override float Read(ref WireReader reader) => WirePrimitives.ReadSingle(ref reader);
}

internal sealed class DoubleCodec : ImmutableCodec<double>
{
    public override void Write(ref WireWriter writer, double value) => WirePrimitives.Write(ref writer, value);

    public override double Read(ref WireReader reader) => WirePrimitives.ReadDouble(ref reader);
}

internal sealed class DecimalCodec : ImmutableCodec<decimal>
{
    public override void Write(ref WireWriter writer, decimal value) => WirePrimitives.Write(ref writer, value);

    public override decimal Read(ref WireReader reader) => WirePrimitives.ReadDecimal(ref reader);
}

internal sealed class GuidCodec : ImmutableCodec<Guid>
{
    public override void Write(ref WireWriter writer, Guid value) => WirePrimitives.Write(ref writer, value);

    public override Guid Read(ref WireReader reader) => WirePrimitives.ReadGuid(ref reader);
}

internal sealed class DateTimeCodec : ImmutableCodec<DateTime>
{
    public override void Write(ref WireWriter writer, DateTime value) => WirePrimitives.Write(ref writer, value);

    public override DateTime Read(ref WireReader reader) => WirePrimitives.ReadDateTime(ref reader);
}

internal sealed class DateTimeOffsetCodec : ImmutableCodec<DateTimeOffset>
{
    public override void Write(ref WireWriter writer, DateTimeOffset value) => WirePrimitives.Write(ref writer, value);

    public override DateTimeOffset Read(ref WireReader reader) => WirePrimitives.ReadDateTimeOffset(ref reader);
}

internal sealed class TimeSpanCodec : ImmutableCodec<TimeSpan>
{
    public override void Write(ref WireWriter writer, TimeSpan value) => WirePrimitives.Write(ref writer, value);

    public override TimeSpan Read(ref WireReader reader) => WirePrimitives.ReadTimeSpan(ref reader);
}

internal sealed class StringCodec : ImmutableCodec<string>
{
    public override void Write(ref WireWriter writer, string value) => writer.WriteString(value);

    public override string Read(ref WireReader reader) => reader.ReadString()!;
}
