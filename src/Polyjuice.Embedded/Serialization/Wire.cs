using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Polyjuice.Embedded.Invocation;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Malformed bytes: a message that another version, or nobody, wrote.</summary>
public sealed class WireFormatException(string message) : Exception(message);

/// <summary>Writes primitive values; little-endian, variable-length integers.</summary>
/// <param name="output">Where to.</param>
public readonly ref struct WireWriter(IBufferWriter<byte> output)
{
    private readonly IBufferWriter<byte> _output = output;

    /// <summary>The buffer beneath, for nested writers.</summary>
    public IBufferWriter<byte> Output => _output;

    /// <summary>Writes one byte.</summary>
    public void WriteByte(byte value)
    {
        _output.GetSpan(1)[0] = value;
        _output.Advance(1);
    }

    /// <summary>Writes an unsigned integer in 1 to 10 bytes.</summary>
    public void WriteVarUInt(ulong value)
    {
        var span = _output.GetSpan(10);
        var n = 0;
        while (value >= 0x80)
        {
            span[n++] = (byte)(value | 0x80);
            value >>= 7;
        }

        span[n++] = (byte)value;
        _output.Advance(n);
    }

    /// <summary>Writes a signed integer, zig-zag coded.</summary>
    public void WriteVarInt(long value) => WriteVarUInt((ulong)((value << 1) ^ (value >> 63)));

    /// <summary>Writes 8 bytes.</summary>
    public void WriteFixed64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_output.GetSpan(8), value);
        _output.Advance(8);
    }

    /// <summary>Writes a string or null.</summary>
    public void WriteString(string? value)
    {
        if (value is null)
        {
            WriteByte(0);
            return;
        }

        var count = Encoding.UTF8.GetByteCount(value);
        WriteVarUInt((ulong)count + 1);
        Encoding.UTF8.GetBytes(value, _output.GetSpan(Math.Max(count, 1)));
        _output.Advance(count);
    }

    /// <summary>Writes a number of elements, or -1 for a collection that is null.</summary>
    public void WriteCount(int count) => WriteVarUInt((ulong)(count + 1L));

    /// <summary>Writes bytes with their length.</summary>
    public void WriteBytes(ReadOnlySpan<byte> value)
    {
        WriteVarUInt((ulong)value.Length);
        _output.Write(value);
    }
}

/// <summary>Reads what <see cref="WireWriter"/> wrote.</summary>
/// <param name="input">The bytes.</param>
/// <param name="runtime">What grain references in the message are bound to; without it they can't be read.</param>
public ref struct WireReader(ReadOnlySpan<byte> input, IGrainCallRuntime? runtime = null)
{
    private ReadOnlySpan<byte> _rest = input;

    /// <summary>What grain references in the message are bound to.</summary>
    public IGrainCallRuntime? Runtime { get; } = runtime;

    /// <summary>What has not been read yet.</summary>
    public readonly ReadOnlySpan<byte> Rest => _rest;

    /// <summary>Reads one byte.</summary>
    public byte ReadByte()
    {
        if (_rest.IsEmpty) throw Short();
        var value = _rest[0];
        _rest = _rest[1..];
        return value;
    }

    /// <summary>Reads an unsigned integer.</summary>
    public ulong ReadVarUInt()
    {
        ulong value = 0;
        for (var shift = 0; shift < 70; shift += 7)
        {
            var next = ReadByte();
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) return value;
        }

        throw new WireFormatException("A variable-length integer is longer than 10 bytes.");
    }

    /// <summary>Reads a signed integer.</summary>
    public long ReadVarInt()
    {
        var value = ReadVarUInt();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    /// <summary>Reads 8 bytes.</summary>
    public ulong ReadFixed64() => BinaryPrimitives.ReadUInt64LittleEndian(Take(8));

    /// <summary>Reads a string or null.</summary>
    public string? ReadString()
    {
        var length = ReadVarUInt();
        return length == 0 ? null : Encoding.UTF8.GetString(Take(length - 1));
    }

    /// <summary>Reads bytes with their length; they alias the input.</summary>
    public ReadOnlySpan<byte> ReadBytes() => Take(ReadVarUInt());

    /// <summary>
    /// Reads the number of elements that follow, or -1 for a collection that is null. Every element takes a byte or more, so a
    /// number that the rest of the message can't hold is refused before anything of that size is allocated.
    /// </summary>
    public int ReadCount()
    {
        var count = ReadVarUInt();
        if (count == 0) return -1;
        if (count - 1 > (ulong)_rest.Length) throw Short();
        return (int)(count - 1);
    }

    private ReadOnlySpan<byte> Take(ulong count)
    {
        if (count > (ulong)_rest.Length) throw Short();
        var taken = _rest[..(int)count];
        _rest = _rest[(int)count..];
        return taken;
    }

    private static WireFormatException Short() => new("The message ends in the middle of a value.");
}
