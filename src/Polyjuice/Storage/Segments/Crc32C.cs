using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Polyjuice.Storage;

/// <summary>CRC-32C (Castagnoli), as in iSCSI and ext4; computed by the processor where it can.</summary>
internal static class Crc32C
{
    /// <summary>The checksum of some bytes, or of bytes that follow others whose checksum is known.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes, uint before = 0)
    {
        var crc = ~before;
        foreach (var word in MemoryMarshal.Cast<byte, ulong>(bytes))
            crc = BitOperations.Crc32C(
                crc, BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word));
        foreach (var one in bytes[(bytes.Length & ~7)..]) crc = BitOperations.Crc32C(crc, one);
        return ~crc;
    }
}
