using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Bytes that no engine of this version wrote.</summary>
internal sealed class CodingException(string message) : Exception(message);

/// <summary>
/// Appends variable-length integers and strings to a growing buffer that is reused from batch to batch.
/// </summary>
internal sealed class ByteWriter(PartitionNames? names = null, int capacity = 1024) : IBufferWriter<byte>
{
    private byte[] _buffer = new byte[capacity];
    private int _length;

    public int Length => _length;

    public ReadOnlySpan<byte> Written => _buffer.AsSpan(0, _length);

    public ReadOnlyMemory<byte> WrittenMemory => _buffer.AsMemory(0, _length);

    public void Clear() => _length = 0;

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(Math.Max(sizeHint, 1));
        return _buffer.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(Math.Max(sizeHint, 1));
        return _buffer.AsSpan(_length);
    }

    public void Byte(byte value)
    {
        Ensure(1);
        _buffer[_length++] = value;
    }

    public void UInt(ulong value)
    {
        Ensure(10);
        while (value >= 0x80)
        {
            _buffer[_length++] = (byte)(value | 0x80);
            value >>= 7;
        }

        _buffer[_length++] = (byte)value;
    }

    public void Int(long value) => UInt((ulong)((value << 1) ^ (value >> 63)));

    /// <summary>A partition: a log by its number, a row by its name.</summary>
    public void Partition(int partition)
    {
        if (!PartitionNames.IsRow(partition))
        {
            Int(partition);
            return;
        }

        if (names is null || !names.TryGetKey(partition, out var key))
            throw new CodingException($"Partition {partition} is a row without a name.");
        Int(PartitionNames.Escape);
        String(key.Grain);
        String(key.State);
    }

    public void String(string value)
    {
        var count = Encoding.UTF8.GetByteCount(value);
        UInt((ulong)count);
        Ensure(count);
        _length += Encoding.UTF8.GetBytes(value, _buffer.AsSpan(_length));
    }

    public void Bytes(ReadOnlySpan<byte> value)
    {
        UInt((ulong)value.Length);
        Ensure(value.Length);
        value.CopyTo(_buffer.AsSpan(_length));
        _length += value.Length;
    }

    /// <summary>Bytes without their length.</summary>
    public void Raw(ReadOnlySpan<byte> value)
    {
        Ensure(value.Length);
        value.CopyTo(_buffer.AsSpan(_length));
        _length += value.Length;
    }

    /// <summary>Leaves room for a length that is known only after what it measures was written.</summary>
    public int BeginLength()
    {
        Ensure(4);
        _length += 4;
        return _length;
    }

    public void EndLength(int start) =>
        BinaryPrimitives.WriteInt32LittleEndian(_buffer.AsSpan(start - 4), _length - start);

    private void Ensure(int count)
    {
        if (_buffer.Length - _length < count) Array.Resize(ref _buffer, Math.Max(_buffer.Length * 2, _length + count));
    }
}

/// <summary>Reads what <see cref="ByteWriter"/> wrote.</summary>
internal ref struct ByteReader(ReadOnlySpan<byte> input, PartitionNames? names = null)
{
    private readonly PartitionNames? _names = names;
    private ReadOnlySpan<byte> _rest = input;

    public readonly bool IsEmpty => _rest.IsEmpty;

    /// <summary>How many bytes have not been read yet.</summary>
    public readonly int Left => _rest.Length;

    public byte Byte()
    {
        if (_rest.IsEmpty) throw Short();
        var value = _rest[0];
        _rest = _rest[1..];
        return value;
    }

    public ulong UInt()
    {
        ulong value = 0;
        for (var shift = 0; shift < 70; shift += 7)
        {
            var next = Byte();
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) return value;
        }

        throw new CodingException("A variable-length integer is longer than 10 bytes.");
    }

    public long Int()
    {
        var value = UInt();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    /// <summary>What <see cref="ByteWriter.Partition"/> wrote: the number by which this node knows it.</summary>
    public int Partition()
    {
        var number = (int)Int();
        if (number != PartitionNames.Escape)
        {
            if (PartitionNames.IsRow(number)) throw new CodingException($"Partition {number} is no log's number.");
            return number;
        }

        var key = new RowKey(String(), String());
        return _names?.NumberOf(key) ?? throw new CodingException($"The row {key} is named where only logs can be.");
    }

    /// <summary>Passes over a partition, whatever it is.</summary>
    public void SkipPartition()
    {
        if (Int() != PartitionNames.Escape) return;
        Bytes();
        Bytes();
    }

    public int Count()
    {
        var value = UInt();
        if (value > (ulong)_rest.Length) throw Short();
        return (int)value;
    }

    public ReadOnlySpan<byte> Bytes() => Take(Count());

    /// <summary>So many bytes, without a length before them.</summary>
    public ReadOnlySpan<byte> Raw(int count) => Take(count);

    public string String() => Encoding.UTF8.GetString(Bytes());

    /// <summary>A string that many records have: all get the same object.</summary>
    public string Name() => SharedNames.Get(Bytes());

    public ReadOnlySpan<byte> LengthPrefixed() => Take(BinaryPrimitives.ReadInt32LittleEndian(Take(4)));

    private ReadOnlySpan<byte> Take(int count)
    {
        if ((uint)count > (uint)_rest.Length) throw Short();
        var taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    private static CodingException Short() => new("The bytes end in the middle of a value.");
}
