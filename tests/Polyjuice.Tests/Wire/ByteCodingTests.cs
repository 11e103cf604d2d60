using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Tests.Shared;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Wire;

public sealed class ByteCodingTests
{
    [Fact]
    public void What_is_written_is_read_back() => Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), seed =>
    {
        var random = new Random(seed);
        var (signed, unsigned) =
            (random.NextInt64(
                long.MinValue, long.MaxValue) >> random.Next(64), (ulong)random.NextInt64() >> random.Next(64));
        var bytes = new byte[random.Next(300)];
        random.NextBytes(bytes);

        // A lone surrogate is no text: UTF-8 can't carry it.
        var text = new string([
            .. Enumerable.Range(0, random.Next(300)).Select(_ => (char)random.Next(1, 0x10000))
            .Where(c => !char.IsSurrogate(c))
        ]);
        var writer = new ByteWriter();
        writer.Int(signed);
        writer.UInt(unsigned);
        writer.String(text);
        writer.Bytes(bytes);
        writer.Byte(7);
        var start = writer.BeginLength();
        writer.Bytes(bytes);
        writer.EndLength(start);
        var reader = new ByteReader(writer.Written);
        return reader.Int() == signed && reader.UInt() == unsigned && reader.String() == text
            && reader.Bytes().SequenceEqual(bytes)
                && reader.Byte() == 7 && new ByteReader(reader.LengthPrefixed()).Bytes().SequenceEqual(bytes)
                && reader.IsEmpty;
    }).Holds();

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void Integers_at_the_edges_are_read_back(long value)
    {
        var writer = new ByteWriter();
        writer.Int(value);
        writer.UInt((ulong)value);
        var reader = new ByteReader(writer.Written);
        Assert.Equal(value, reader.Int());
        Assert.Equal((ulong)value, reader.UInt());
        Assert.True(reader.IsEmpty);
    }

    [Fact]
    public void A_value_that_is_larger_than_the_buffer_makes_it_grow_and_clear_keeps_it()
    {
        var writer = new ByteWriter();
        var large = Enumerable.Range(0, 10_000).Select(i => (byte)i).ToArray();
        writer.Byte(1);
        writer.Bytes(large);
        var reader = new ByteReader(writer.Written);
        Assert.Equal(1, reader.Byte());
        Assert.Equal(large, reader.Bytes().ToArray());
        writer.Clear();
        Assert.Equal(0, writer.Length);
    }

    [Fact]
    public void Bytes_that_end_in_the_middle_of_a_value_are_refused()
    {
        var writer = new ByteWriter();
        writer.String("hello");
        var bytes = writer.Written.ToArray();
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<CodingException>(() => new ByteReader(bytes.AsSpan(0, length)).String());
        Assert.Throws<CodingException>(() => new ByteReader([255, 255, 255, 255]).LengthPrefixed());
    }

    [Fact]
    public void An_integer_without_an_end_is_refused() =>
        Assert.Throws<CodingException>(() => new ByteReader(Enumerable.Repeat((byte)0x80, 11).ToArray()).UInt());
}
