using Polyjuice.Embedded.Invocation;

namespace Polyjuice.Embedded.Serialization;

internal sealed class NothingCodec : ImmutableCodec<Nothing>
{
    public override void Write(ref WireWriter writer, Nothing value)
    {
    }

    public override Nothing Read(ref WireReader reader) => default;
}

internal sealed class DateOnlyCodec : ImmutableCodec<DateOnly>
{
    public override void Write(ref WireWriter writer, DateOnly value) => writer.WriteVarUInt((ulong)value.DayNumber);

    public override DateOnly Read(ref WireReader reader) => reader.ReadVarUInt() is var day && day <= (ulong)DateOnly.MaxValue.DayNumber
        ? DateOnly.FromDayNumber((int)day)
        : throw new WireFormatException("A message contains a date out of range.");
}

internal sealed class TimeOnlyCodec : ImmutableCodec<TimeOnly>
{
    public override void Write(ref WireWriter writer, TimeOnly value) => writer.WriteVarUInt((ulong)value.Ticks);

    public override TimeOnly Read(ref WireReader reader) => reader.ReadVarUInt() is var ticks && ticks <= (ulong)TimeOnly.MaxValue.Ticks
        ? new((long)ticks)
        : throw new WireFormatException("A message contains a time of day out of range.");
}

internal sealed class UriCodec : ImmutableCodec<Uri>
{
    public override void Write(ref WireWriter writer, Uri value) => writer.WriteString(value?.OriginalString);

    public override Uri Read(ref WireReader reader) => reader.ReadString() switch
    {
        null => null!,
        var text => Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out var uri) ? uri : throw new WireFormatException("A message contains a malformed URI."),
    };
}

internal sealed class VersionCodec : ImmutableCodec<Version>
{
    public override void Write(ref WireWriter writer, Version value) => writer.WriteString(value?.ToString());

    public override Version Read(ref WireReader reader) => reader.ReadString() switch
    {
        null => null!,
        var text => Version.TryParse(text, out var version) ? version : throw new WireFormatException("A message contains a malformed version number."),
    };
}

/// <summary>An enum, where it is an element, a key or a type argument.</summary>
internal sealed class EnumCodec<T> : ImmutableCodec<T>
    where T : struct, Enum
{
    public override void Write(ref WireWriter writer, T value) => WireEnums.Write(ref writer, value);

    public override T Read(ref WireReader reader) => WireEnums.Read<T>(ref reader);
}
