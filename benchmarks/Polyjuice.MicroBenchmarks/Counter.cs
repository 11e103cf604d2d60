using System.Buffers;
using System.Buffers.Binary;
using Polyjuice.Contracts;

namespace Polyjuice.MicroBenchmarks;

/// <summary>A small mutable state.</summary>
internal sealed class Counter
{
    public long Value { get; set; }
}

internal sealed class CounterCodec : IStateCodec<Counter>
{
    public string Name => "counter";

    public bool IsImmutable => false;

    public Counter Create() => new();

    public Counter Copy(Counter value) => new() { Value = value.Value };

    // As a silo's codec does.
    public Counter Copy(Counter value, Counter spent)
    {
        spent.Value = value.Value;
        return spent;
    }

    public void Encode(Counter value, IBufferWriter<byte> output)
    {
        BinaryPrimitives.WriteInt64LittleEndian(output.GetSpan(sizeof(long)), value.Value);
        output.Advance(sizeof(long));
    }

    public Counter Decode(ReadOnlySpan<byte> bytes) => new() { Value = BinaryPrimitives.ReadInt64LittleEndian(bytes) };
}
