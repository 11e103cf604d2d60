using System.Buffers;
using System.Buffers.Binary;
using Polyjuice.Contracts;

namespace Polyjuice.Training.Replay;

/// <summary>
/// The state of every synthetic grain: how often it was updated. What real
/// states cost to copy and write is part of <see cref="ReplayCosts.Access"/>.
/// </summary>
internal sealed class ReplayState
{
    public long Updates { get; set; }
}

/// <inheritdoc cref="ReplayState"/>
internal sealed class ReplayStateCodec : IStateCodec<ReplayState>
{
    public static readonly ReplayStateCodec Shared = new();

    public string Name => "replay";

    public bool IsImmutable => false;

    public ReplayState Create() => new();

    public ReplayState Copy(ReplayState value) => new() { Updates = value.Updates };

    public ReplayState Copy(ReplayState value, ReplayState spent)
    {
        spent.Updates = value.Updates;
        return spent;
    }

    public void Encode(ReplayState value, IBufferWriter<byte> output)
    {
        BinaryPrimitives.WriteInt64LittleEndian(output.GetSpan(sizeof(long)), value.Updates);
        output.Advance(sizeof(long));
    }

    public ReplayState Decode(ReadOnlySpan<byte> bytes) =>
        new() { Updates = BinaryPrimitives.ReadInt64LittleEndian(bytes) };
}
