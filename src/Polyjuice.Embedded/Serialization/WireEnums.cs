using System.Runtime.CompilerServices;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Writes and reads enums as their underlying integers. Values without a name are legal, as in C#.</summary>
public static class WireEnums
{
    /// <summary>Writes a value.</summary>
    public static void Write<T>(ref WireWriter writer, T value) where T : struct, Enum => writer.WriteVarInt(Unsafe.SizeOf<T>() switch
    {
        1 => Unsafe.BitCast<T, sbyte>(value),
        2 => Unsafe.BitCast<T, short>(value),
        4 => Unsafe.BitCast<T, int>(value),
        _ => Unsafe.BitCast<T, long>(value),
    });

    /// <summary>Reads a value. Throws <see cref="WireFormatException"/> when it does not fit.</summary>
    public static T Read<T>(ref WireReader reader) where T : struct, Enum
    {
        var value = reader.ReadVarInt();
        return Unsafe.SizeOf<T>() switch
        {
            1 when value == (sbyte)value => Unsafe.BitCast<sbyte, T>((sbyte)value),
            2 when value == (short)value => Unsafe.BitCast<short, T>((short)value),
            4 when value == (int)value => Unsafe.BitCast<int, T>((int)value),
            8 => Unsafe.BitCast<long, T>(value),
            _ => throw new WireFormatException($"A message contains a value outside the range of {typeof(T)}."),
        };
    }
}
