using System.Runtime.CompilerServices;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Writes and reads the types that generated code handles without a codec. Readers throw <see cref="WireFormatException"/>.</summary>
public static class WirePrimitives
{
    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, byte value) => writer.WriteByte(value);

    /// <summary>Reads a value.</summary>
    public static byte ReadByte(ref WireReader reader) => reader.ReadByte();

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, sbyte value) => writer.WriteByte((byte)value);

    /// <summary>Reads a value.</summary>
    public static sbyte ReadSByte(ref WireReader reader) => (sbyte)reader.ReadByte();

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, short value) => writer.WriteVarInt(value);

    /// <summary>Reads a value.</summary>
    public static short ReadInt16(ref WireReader reader) => reader.ReadVarInt() is var value and >= short.MinValue and <= short.MaxValue ? (short)value : throw OutOfRange("short");

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, int value) => writer.WriteVarInt(value);

    /// <summary>Reads a value.</summary>
    public static int ReadInt32(ref WireReader reader) => reader.ReadVarInt() is var value and >= int.MinValue and <= int.MaxValue ? (int)value : throw OutOfRange("int");

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, long value) => writer.WriteVarInt(value);

    /// <summary>Reads a value.</summary>
    public static long ReadInt64(ref WireReader reader) => reader.ReadVarInt();

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, ushort value) => writer.WriteVarUInt(value);

    /// <summary>Reads a value.</summary>
    public static ushort ReadUInt16(ref WireReader reader) => reader.ReadVarUInt() is var value and <= ushort.MaxValue ? (ushort)value : throw OutOfRange("ushort");

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, uint value) => writer.WriteVarUInt(value);

    /// <summary>Reads a value.</summary>
    public static uint ReadUInt32(ref WireReader reader) => reader.ReadVarUInt() is var value and <= uint.MaxValue ? (uint)value : throw OutOfRange("uint");

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, char value) => writer.WriteVarUInt(value);

    /// <summary>Reads a value.</summary>
    public static char ReadChar(ref WireReader reader) => reader.ReadVarUInt() is var value and <= char.MaxValue ? (char)value : throw OutOfRange("char");

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, ulong value) => writer.WriteVarUInt(value);

    /// <summary>Reads a value.</summary>
    public static ulong ReadUInt64(ref WireReader reader) => reader.ReadVarUInt();

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, float value) => writer.WriteVarUInt(BitConverter.SingleToUInt32Bits(value));

    /// <summary>Reads a value.</summary>
    public static float ReadSingle(ref WireReader reader) => BitConverter.UInt32BitsToSingle(ReadUInt32(ref reader));

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, double value) => writer.WriteFixed64(BitConverter.DoubleToUInt64Bits(value));

    /// <summary>Reads a value.</summary>
    public static double ReadDouble(ref WireReader reader) => BitConverter.UInt64BitsToDouble(reader.ReadFixed64());

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, TimeSpan value) => writer.WriteVarInt(value.Ticks);

    /// <summary>Reads a value.</summary>
    public static TimeSpan ReadTimeSpan(ref WireReader reader) => new(reader.ReadVarInt());

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, string? value) => writer.WriteString(value);

    /// <summary>Reads a value.</summary>
    public static string? ReadString(ref WireReader reader) => reader.ReadString();

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, bool value) => writer.WriteByte(value ? (byte)1 : (byte)0);

    /// <summary>Reads a value.</summary>
    public static bool ReadBoolean(ref WireReader reader) => reader.ReadByte() switch
    {
        0 => false,
        1 => true,
        _ => throw OutOfRange("bool"),
    };

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        writer.WriteFixed64((uint)bits[0] | ((ulong)(uint)bits[1] << 32));
        writer.WriteFixed64((uint)bits[2] | ((ulong)(uint)bits[3] << 32));
    }

    /// <summary>Reads a value.</summary>
    public static decimal ReadDecimal(ref WireReader reader)
    {
        var low = reader.ReadFixed64();
        var high = reader.ReadFixed64();
        try
        {
            return new decimal([(int)low, (int)(low >> 32), (int)high, (int)(high >> 32)]);
        }
        catch (ArgumentException)
        {
            throw OutOfRange("decimal");
        }
    }

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, Guid value)
    {
        var halves = Unsafe.BitCast<Guid, (ulong, ulong)>(value);
        writer.WriteFixed64(halves.Item1);
        writer.WriteFixed64(halves.Item2);
    }

    /// <summary>Reads a value.</summary>
    public static Guid ReadGuid(ref WireReader reader) => Unsafe.BitCast<(ulong, ulong), Guid>((reader.ReadFixed64(), reader.ReadFixed64()));

    /// <summary>Writes a value; its kind is kept.</summary>
    public static void Write(ref WireWriter writer, DateTime value)
    {
        writer.WriteByte((byte)value.Kind);
        writer.WriteVarInt(value.Ticks);
    }

    /// <summary>Reads a value.</summary>
    public static DateTime ReadDateTime(ref WireReader reader)
    {
        var kind = reader.ReadByte();
        var ticks = reader.ReadVarInt();
        if (kind > (byte)DateTimeKind.Local || ticks < 0 || ticks > DateTime.MaxValue.Ticks) throw OutOfRange(nameof(DateTime));
        return new(ticks, (DateTimeKind)kind);
    }

    /// <summary>Writes a value.</summary>
    public static void Write(ref WireWriter writer, DateTimeOffset value)
    {
        writer.WriteVarInt(value.Ticks);
        writer.WriteVarInt(value.TotalOffsetMinutes);
    }

    /// <summary>Reads a value.</summary>
    public static DateTimeOffset ReadDateTimeOffset(ref WireReader reader)
    {
        var ticks = reader.ReadVarInt();
        var minutes = reader.ReadVarInt();
        if (minutes is < -14 * 60 or > 14 * 60) throw OutOfRange(nameof(DateTimeOffset));
        try
        {
            return new(ticks, TimeSpan.FromMinutes(minutes));
        }
        catch (ArgumentException)
        {
            throw OutOfRange(nameof(DateTimeOffset));
        }
    }

    private static WireFormatException OutOfRange(string type) => new($"A message contains a value outside the range of {type}.");
}
