using System.Buffers;
using System.Reflection;
using Orleans;
using Orleans.Serialization;
using Orleans.Transactions.Abstractions;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.States;

/// <summary>States in Orleans' own format, which tolerates that a class gains and loses members.</summary>
internal sealed class OrleansStateCodec<T>(
    ITransactionDataCopier<T> copier, Serializer<T> serializer) : IStateCodec<T> where T : class, new()
{
    private static readonly bool s_isImmutable = typeof(T).IsDefined(typeof(ImmutableAttribute), inherit: false);

    /// <inheritdoc/>
    public string Name => "orleans";

    /// <inheritdoc/>
    public bool IsImmutable => s_isImmutable;

    /// <inheritdoc/>
    public T Create() => new();

    /// <inheritdoc/>
    public T Copy(T value) => copier.DeepCopy(value);

    /// <inheritdoc/>
    public void Encode(T value, IBufferWriter<byte> output) => serializer.Serialize(value, output);

    /// <inheritdoc/>
    public T Decode(ReadOnlySpan<byte> bytes) => serializer.Deserialize(bytes) ?? new();
}
